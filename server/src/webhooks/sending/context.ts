import type { egressSettings } from "../../egress/settings.ts";
import type { ContextOf } from "../../runtime/context.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import type { sendingSettings } from "./settings.ts";

/** What sends is handed, the tests of the API and the deliveries of the worker alike. */
export type Context = ContextOf<{
  readonly egress: ConfigOf<typeof egressSettings, "api">;
  readonly webhooks: ConfigOf<typeof sendingSettings, "api"> | ConfigOf<typeof sendingSettings, "webhooks">;
}>;
