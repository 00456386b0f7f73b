import type { egressSettings } from "../../egress/settings.ts";
import type { ContextOf } from "../../runtime/context.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import type { sendingSettings } from "./settings.ts";

/** The parts that a send needs, for the tests of the API and for the deliveries of the worker. */
export type Context = ContextOf<{
  readonly egress: ConfigOf<typeof egressSettings, "api">;
  readonly webhooks: ConfigOf<typeof sendingSettings, "api"> | ConfigOf<typeof sendingSettings, "webhooks">;
}>;
