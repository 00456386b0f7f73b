import type { ContextOf } from "../runtime/context.ts";
import type { Role } from "../runtime/setting.ts";
import type { Config } from "./config.ts";
import type { Metrics } from "./metrics.ts";

/**
 * What a process hands to its parts: the settings and the metrics of every room. Each room takes what its own
 * `context.ts` names of it.
 */
export type Context<C extends Config = Config> = ContextOf<C, Metrics> & {
  /** the key of the check in every checkout token; the database's own */
  readonly checkoutKey: Buffer;
};

/** What a process that has the API hands to it. */
export type ApiContext = Context<Config<"api">>;

/** Whether this process has the role, and with it the role's settings. */
export function hasRole<C extends { readonly config: Config }, R extends Role>(
  context: C,
  role: R,
): context is C & { readonly config: Config<R> } {
  return context.config.roles.includes(role);
}
