import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf, Role } from "../runtime/setting.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { httpSettings } from "./settings.ts";

/** What every listener is handed, whatever the roles of its process. */
export type Context = ContextOf<
  { readonly roles: readonly Role[]; readonly http: ConfigOf<typeof httpSettings> },
  HttpMetrics
>;

/** What the listener of the API is handed. */
export type ApiContext = Context & ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }>;

/** Whether this process has the API, and with it the API's settings. */
export function hasApi(context: Context): context is ApiContext {
  return context.config.roles.includes("api");
}
