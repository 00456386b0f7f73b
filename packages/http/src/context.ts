import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf, Role } from "@daric/runtime/setting";
import type { HttpMetrics } from "./metrics.ts";
import type { httpSettings } from "./settings.ts";

/** The context of every listener, in each role. */
export type Context = ContextOf<
  { readonly roles: readonly Role[]; readonly http: ConfigOf<typeof httpSettings> },
  HttpMetrics
>;

/** The context of the API's listener. */
export type ApiContext = Context & ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }>;

/** Whether this process serves the API and has its settings. */
export function hasApi(context: Context): context is ApiContext {
  return context.config.roles.includes("api");
}
