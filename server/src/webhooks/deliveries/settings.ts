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
      "Attempts under way at once in one process. One merchant gets at most three times as many as are free: alone three quarters.",
  }),
  endpointConcurrency: setting({
    env: "WEBHOOK_ENDPOINT_CONCURRENCY",
    ...integerOr(8, 1, 1_000),
    roles: ["webhooks"],
    meaning:
      "Attempts under way at once to one endpoint in one process, so that a slow one cannot take every slot.",
  }),
  parkedForMs: setting({
    env: "WEBHOOK_PARKED_FOR",
    read: durationMs.prefault("3d"),
    default: "3d",
    roles: ["webhooks"],
    meaning: "Deliveries of a disabled endpoint that are younger than this go out when it is enabled again.",
  }),
};
