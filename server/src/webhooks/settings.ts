import { z } from "zod";
import { parseDurationMs } from "../runtime/duration.ts";
import { durationMs, integerOr, list, setting } from "../runtime/setting.ts";
import { faultOfTarget } from "./sending/allowed-targets.ts";

const scheduleMs = z.string().transform((text, issue) => {
  const waits = text.split(",").map((wait) => parseDurationMs(wait.trim()));
  const whole = waits.filter((ms) => ms !== undefined);
  if (whole.length === waits.length && whole.length > 0 && whole.length <= 50) return whole;
  issue.addIssue({ code: "custom", message: "must be 1 to 50 durations with commas between, like 0s,5s,2m" });
  return z.NEVER;
});

const allowedTargets = list.superRefine((entries, issue) => {
  for (const entry of entries) {
    const fault = faultOfTarget(entry);
    if (fault !== undefined) issue.addIssue({ code: "custom", message: `has "${entry}", which ${fault}` });
  }
});

const masterKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex characters (32 random bytes)")
  .transform((text): Buffer => Buffer.from(text, "hex"));

/** Where events may go, how fast and how often. */
export const webhookSettings = {
  masterKey: setting({
    env: "DARIC_MASTER_KEY",
    read: masterKey,
    default: "required",
    roles: ["api", "webhooks"],
    meaning:
      "The key that encrypts webhook secrets at rest: 64 hex characters. The database refuses another one than its first.",
  }),
  testEventsPerMinute: setting({
    env: "RATE_LIMIT_TEST_EVENTS_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Test events per minute to one webhook endpoint.",
  }),
  endpointsPerMerchant: setting({
    env: "WEBHOOK_ENDPOINTS_PER_MERCHANT",
    ...integerOr(20, 1, 10_000),
    roles: ["api"],
    meaning: "Webhook endpoints that one merchant may have. Deleted ones do not count.",
  }),
  allowTargets: setting({
    env: "WEBHOOK_ALLOW_TARGETS",
    read: allowedTargets.prefault(""),
    default: "none",
    roles: ["api", "webhooks"],
    meaning:
      "Private targets that webhooks may be sent to all the same: CIDRs and host names, each on any port. Only a range of their own opens link-local addresses (169.254.0.0/16, fe80::/10).",
  }),
  retryScheduleMs: setting({
    env: "WEBHOOK_RETRY_SCHEDULE",
    read: scheduleMs.prefault("0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h"),
    default: "0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h",
    roles: ["watcher", "webhooks"],
    meaning: "The wait before each attempt, ±20 %. As many attempts as entries.",
  }),
  timeoutMs: setting({
    env: "WEBHOOK_TIMEOUT",
    read: durationMs.prefault("15s"),
    default: "15s",
    roles: ["api", "webhooks"],
    meaning: "The whole time one attempt may take, from look-up to the end of the answer.",
  }),
  concurrency: setting({
    env: "WEBHOOK_CONCURRENCY",
    ...integerOr(32, 1, 1_000),
    roles: ["webhooks"],
    meaning:
      "Attempts under way at once in one process. One merchant gets at most three quarters of them; the last quarter is for merchants with nothing under way.",
  }),
  endpointConcurrency: setting({
    env: "WEBHOOK_ENDPOINT_CONCURRENCY",
    ...integerOr(8, 1, 1_000),
    roles: ["webhooks"],
    meaning: "Attempts under way at once to one endpoint, so that a slow one cannot take every slot.",
  }),
  parkedForMs: setting({
    env: "WEBHOOK_PARKED_FOR",
    read: durationMs.prefault("3d"),
    default: "3d",
    roles: ["webhooks"],
    meaning: "Deliveries of a disabled endpoint that are younger than this go out when it is enabled again.",
  }),
};
