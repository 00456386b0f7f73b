import type { ContextOf } from "../../runtime/context.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import type { Context as SendingContext } from "../sending/context.ts";
import type { endpointSettings } from "./settings.ts";

export type ApiContext = SendingContext &
  ContextOf<{ readonly webhooks: ConfigOf<typeof endpointSettings, "api"> }>;
