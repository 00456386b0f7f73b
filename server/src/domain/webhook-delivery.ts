import { machine } from "./machine.ts";

/**
 * What can happen to a delivery. `rejected` leaves tries, `spent` was the last one. A lapsed lease means that its
 * worker died between claim and result. `abandoned`: nobody is left to deliver to. `resent`: it has ended, and its
 * merchant wants it once more. A claim that is given back
 * without an attempt is no event: it undoes `claimed`.
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
/** The statuses in which nothing is done any more, unless it is asked for, and those in which something is. */
export const finalDeliveryStatuses: readonly WebhookDeliveryStatus[] = deliveryMachine.edge("resent").from;
export const openDeliveryStatuses = webhookDeliveryStatuses.filter((status) => !isFinal(status));
/** What a claim finds. */
export type WaitingDeliveryStatus = ReturnType<typeof deliveryMachine.edge<"claimed">>["from"][number];

/**
 * Why an attempt failed or a delivery ended, as merchants read it. A closed list: the text of a network error says
 * what is behind a host name, so it stays in the operator's log.
 */
export const webhookErrors = [
  /** the host name has no address, or none came in time */
  "dns_error",
  /** the host is, or resolves to, an address that is not public */
  "blocked_address",
  "connect_refused",
  "connect_timeout",
  /** no way to the address, for a reason other than the two above */
  "connect_error",
  "tls_error",
  /** no status with complete headers within the deadline */
  "timeout",
  /** the connection broke before the headers were complete */
  "reset",
  /** what came is not HTTP/1.1 */
  "invalid_response",
  /** more came before the headers were complete than we read */
  "response_too_large",
  /** an answer came and its status is not 2xx */
  "http_status",
  /** the process that made the attempt died before it could say how it ended */
  "lease_expired",
  /** what was to be sent is not in the database any more: nothing can be sent, now or later */
  "body_missing",
  /** the event was not written by a process of ours, by the code beside it: it is never sent */
  "event_refused",
  "endpoint_deleted",
  /** waited for a disabled endpoint longer than deliveries are kept for it */
  "parked_too_long",
] as const;
export type WebhookError = (typeof webhookErrors)[number];

/** What made us try: the schedule, a merchant who asked for it, or a test. */
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

/** How an attempt ended for its delivery; `delayMs` is the wait before the next one, null when there is none. */
export type Verdict = {
  readonly event: "accepted" | "rejected" | "spent" | "lapsed";
  readonly delayMs: number | null;
};

/**
 * Judges the `attempt`-th attempt of a delivery that is SENDING. `error` is null where the receiver accepted. A lost
 * result (`lease_expired`) is tried again at once: the receiver may well have been there. Without a body, or
 * of an event that is not ours, no attempt is worth another.
 */
export function attemptVerdict(input: {
  attempt: number;
  error: WebhookError | null;
  scheduleMs: readonly number[];
  random: number;
}): Verdict {
  if (input.error === null) return { event: "accepted", delayMs: null };
  if (input.error === "body_missing" || input.error === "event_refused")
    return { event: "spent", delayMs: null };
  const delayMs = retryDelayMs(input.scheduleMs, input.attempt, input.random);
  if (delayMs === undefined) return { event: "spent", delayMs: null };
  return input.error === "lease_expired" ? { event: "lapsed", delayMs: 0 } : { event: "rejected", delayMs };
}

export function isFinal(status: WebhookDeliveryStatus): boolean {
  return finalDeliveryStatuses.includes(status);
}
