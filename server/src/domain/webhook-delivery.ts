export const webhookDeliveryStatuses = ["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** What can happen to a delivery. A lapsed lease means that its worker died between claim and result. */
export const webhookDeliveryEvents = ["claimed", "accepted", "rejected", "spent", "lapsed"] as const;
export type WebhookDeliveryEvent = (typeof webhookDeliveryEvents)[number];

const transitions: Record<
  WebhookDeliveryStatus,
  Partial<Record<WebhookDeliveryEvent, WebhookDeliveryStatus>>
> = {
  PENDING: { claimed: "SENDING" },
  SENDING: { accepted: "DELIVERED", rejected: "FAILED", spent: "EXHAUSTED", lapsed: "FAILED" },
  FAILED: { claimed: "SENDING", spent: "EXHAUSTED" },
  DELIVERED: {},
  EXHAUSTED: {},
};

/** The status after an event, or undefined where the graph has no such edge. */
export function nextWebhookDeliveryStatus(
  status: WebhookDeliveryStatus,
  event: WebhookDeliveryEvent,
): WebhookDeliveryStatus | undefined {
  return transitions[status][event];
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
