import { machine } from "./machine.ts";

/**
 * The life of a delivery. `rejected`: an attempt failed and others remain. `spent`: the last attempt failed. `lapsed`: the
 * lease ended, because the worker died between claim and result. `abandoned`: the endpoint is gone, or stayed disabled too
 * long. `resent`: the merchant requested another attempt. Giving a claim back without an attempt undoes `claimed`.
 */
export const deliveryMachine = machine({
  PENDING: { claimed: "SENDING", abandoned: "EXHAUSTED" },
  SENDING: { accepted: "DELIVERED", rejected: "FAILED", spent: "EXHAUSTED", lapsed: "FAILED" },
  DELIVERED: { resent: "PENDING" },
  FAILED: { claimed: "SENDING", abandoned: "EXHAUSTED" },
  EXHAUSTED: { resent: "PENDING" },
});
export const webhookDeliveryStatuses = deliveryMachine.states;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];
export const finalDeliveryStatuses: readonly WebhookDeliveryStatus[] = deliveryMachine.edge("resent").from;
export const openDeliveryStatuses = webhookDeliveryStatuses.filter((status) => !isFinal(status));
/** The statuses in which a worker may claim a delivery. */
export type WaitingDeliveryStatus = ReturnType<typeof deliveryMachine.edge<"claimed">>["from"][number];

/**
 * The reason of a failed attempt or an ended delivery, as merchants read it. The list is closed: the text of a network
 * error would reveal what is behind a host name, so it stays in the operator's log.
 */
export const webhookErrors = [
  /** the host name has no address, or DNS did not answer in time */
  "dns_error",
  /** the host is, or resolves to, an address that is not public */
  "blocked_address",
  "connect_refused",
  "connect_timeout",
  /** the address cannot be reached for another reason than the two above */
  "connect_error",
  "tls_error",
  /** no status with complete headers within the deadline */
  "timeout",
  /** the connection broke before the headers were complete */
  "reset",
  /** the answer is not HTTP/1.1, or a 100 or 101 that was not asked for */
  "invalid_response",
  /** the headers are larger than the limit */
  "response_too_large",
  /** the answer's status is not 2xx */
  "http_status",
  /** the process that made the attempt died before it recorded the result */
  "lease_expired",
  /** the stored body is gone, so no attempt is possible any more */
  "body_missing",
  /** the event's MAC is not ours, so the event is never sent */
  "event_refused",
  "endpoint_deleted",
  /** waited for a disabled endpoint longer than deliveries are kept */
  "parked_too_long",
  /** waited for an endpoint that does not answer until its four days were over */
  "expired",
] as const;
export type WebhookError = (typeof webhookErrors)[number];

/** The errors that say nothing about the receiver. */
export const webhookErrorsOfOurs: readonly WebhookError[] = [
  "lease_expired",
  "body_missing",
  "event_refused",
];

/** The cause of an attempt: the schedule, a merchant's resend, or a test. */
export const deliveryTriggers = ["schedule", "resend", "test"] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];

/** Any 2xx delivers; any other answer leads to a retry (service contract, "Events"). */
export function isAccepted(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

const JITTER = 0.2;

/**
 * Milliseconds to wait after the `attempt`-th attempt (1 = the first) failed, or undefined when the schedule is spent.
 * `scheduleMs` holds the wait before each attempt, the first included; `random` is in [0, 1) and spreads by ±20 %.
 */
export function retryDelayMs(
  scheduleMs: readonly number[],
  attempt: number,
  random: number,
): number | undefined {
  const base = scheduleMs[attempt];
  return base === undefined ? undefined : Math.round(base * (1 - JITTER + 2 * JITTER * random));
}

/** The result of an attempt. `delayMs` is the wait before the next one, null if there is none. */
export type Verdict = {
  readonly event: "accepted" | "rejected" | "spent" | "lapsed";
  readonly delayMs: number | null;
  /** it counts neither against the endpoint's health nor among the attempts of the schedule */
  readonly isUncounted?: true;
};

/** Lost results of so many attempts are retried at once. */
const REPEATED_AT_ONCE = 3;

/**
 * The verdict on the `attempt`-th attempt that counts, of a delivery that is SENDING. `error` is null if the receiver accepted. If the
 * receiver asked for a pause, the next attempt comes at its end, and while it `mayPause` this one does not count. A lost
 * result (`lease_expired`) of the first attempts is retried at once: mostly nothing was sent. Later ones wait, so that a process
 * that fails again and again spends no delivery within minutes. A missing body or a refused event ends the delivery.
 */
export function attemptVerdict(input: {
  attempt: number;
  error: WebhookError | null;
  scheduleMs: readonly number[];
  random: number;
  pauseMs?: number | undefined;
  mayPause?: boolean;
}): Verdict {
  const { pauseMs = 0, mayPause = false } = input;
  if (input.error === null) return { event: "accepted", delayMs: null };
  if (input.error === "body_missing" || input.error === "event_refused")
    return { event: "spent", delayMs: null };
  if (pauseMs > 0 && mayPause) return { event: "rejected", delayMs: pauseMs, isUncounted: true };
  const delayMs = retryDelayMs(input.scheduleMs, input.attempt, input.random);
  if (delayMs === undefined) return { event: "spent", delayMs: null };
  if (input.error !== "lease_expired") return { event: "rejected", delayMs: Math.max(delayMs, pauseMs) };
  return { event: "lapsed", delayMs: input.attempt <= REPEATED_AT_ONCE ? 0 : delayMs };
}

export function isFinal(status: WebhookDeliveryStatus): boolean {
  return finalDeliveryStatuses.includes(status);
}
