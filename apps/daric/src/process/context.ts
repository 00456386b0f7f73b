import type { ContextOf } from "@daric/runtime/context";
import type { Role } from "@daric/runtime/setting";
import type { Config } from "./config.ts";
import type { Metrics } from "./metrics.ts";

/**
 * The context that a process passes to its parts: the settings and the metrics of every room. The `context.ts` of
 * each room names the part that it uses.
 */
export type Context<C extends Config = Config> = ContextOf<C, Metrics> & {
  /** the key of the checksum in every checkout token; each database has its own */
  readonly checkoutKey: Buffer;
};

/** The context of the API. */
export type ApiContext = Context<Config<"api">>;

/** Whether this process has the role, and with it the role's settings. */
export function hasRole<C extends { readonly config: Config }, R extends Role>(
  context: C,
  role: R,
): context is C & { readonly config: Config<R> } {
  return context.config.roles.includes(role);
}
