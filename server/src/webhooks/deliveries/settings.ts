import { durationMs, integerOr, setting } from "../../runtime/setting.ts";

export const deliverySettings = {
  testEventsPerMinute: setting({
    env: "RATE_LIMIT_TEST_EVENTS_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Test events and resends per minute to one webhook endpoint, together.",
  }),
  concurrency: setting({
    env: "WEBHOOK_CONCURRENCY",
    ...integerOr(128, 1, 1_000),
    roles: ["webhooks"],
    meaning:
      "Attempts under way at once in one process. One merchant gets at most three times as many as are free: alone three quarters. One endpoint gets a sixteenth of them all.",
  }),
  parkedForMs: setting({
    env: "WEBHOOK_PARKED_FOR",
    read: durationMs.prefault("3d"),
    default: "3d",
    roles: ["webhooks"],
    meaning: "Deliveries of a disabled endpoint that are younger than this go out when it is enabled again.",
  }),
};

/** The attempts under way at once to one endpoint in one process, so that a slow one cannot take every slot. */
export function endpointSlots(concurrency: number): number {
  return Math.ceil(concurrency / 16);
}
