import type { Environment } from "../../domain/api-scope.ts";
import type { ContextOf } from "../../runtime/context.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import type { SealingEventContext } from "./event-mac.ts";
import type { eventSettings } from "./settings.ts";

export type WatcherContext = ContextOf<
  SealingEventContext["config"] & {
    readonly environment: Environment;
    readonly webhooks: ConfigOf<typeof eventSettings, "watcher">;
  }
>;

/** The API announces only acts of a merchant. */
export type ApiContext = ContextOf<
  SealingEventContext["config"] & {
    readonly environment: Environment;
    readonly webhooks: ConfigOf<typeof eventSettings, "api">;
  }
>;

/** The feed shows events that carry our code. */
export type FeedContext = ContextOf<SealingEventContext["config"] & { readonly environment: Environment }>;

/** Settlement announces what it paid. */
export type SettlementEventContext = ContextOf<
  SealingEventContext["config"] & {
    readonly environment: Environment;
    readonly webhooks: ConfigOf<typeof eventSettings, "settlement">;
  }
>;
