import type { Environment } from "@daric/domain/api-scope";
import type { AudienceContext } from "@daric/messages/audience";
import type { ContextOf } from "@daric/runtime/context";
import { parseDurationMs } from "@daric/runtime/duration";
import { type ConfigOf, setting } from "@daric/runtime/setting";
import { z } from "zod";
import type { SealingEventContext } from "./event-mac.ts";

const scheduleMs = z.string().transform((text, issue) => {
  const waits = text.split(",").map((wait) => parseDurationMs(wait.trim()));
  const whole = waits.filter((ms) => ms !== undefined);
  if (whole.length === waits.length && whole.length > 0 && whole.length <= 50) return whole;
  issue.addIssue({ code: "custom", message: "must be 1 to 50 durations with commas between, like 0s,5s,2m" });
  return z.NEVER;
});

export const eventSettings = {
  retryScheduleMs: setting({
    env: "WEBHOOK_RETRY_SCHEDULE",
    read: scheduleMs.prefault("0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h"),
    default: "0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h",
    roles: ["api", "watcher", "webhooks", "settlement"],
    meaning: "The wait before each attempt, ±20 %. As many attempts as entries.",
  }),
};

export type WatcherContext = ContextOf<
  SealingEventContext["config"] &
    AudienceContext["config"] & {
      readonly environment: Environment;
      readonly webhooks: ConfigOf<typeof eventSettings, "watcher">;
    }
>;

/** The API announces only acts of a merchant. */
export type ApiContext = ContextOf<
  SealingEventContext["config"] &
    AudienceContext["config"] & {
      readonly environment: Environment;
      readonly webhooks: ConfigOf<typeof eventSettings, "api">;
    }
>;

/** The feed shows events that carry our code. */
export type FeedContext = ContextOf<SealingEventContext["config"] & { readonly environment: Environment }>;

/** Settlement announces what it paid. */
export type SettlementEventContext = ContextOf<
  SealingEventContext["config"] &
    AudienceContext["config"] & {
      readonly environment: Environment;
      readonly webhooks: ConfigOf<typeof eventSettings, "settlement">;
    }
>;
