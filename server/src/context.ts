import type { Database } from "@daric/postgres/sql";
import type { Config } from "./config.ts";
import type { Metrics } from "./metrics.ts";
import type { Clock } from "./runtime/clock.ts";
import type { Logger } from "./runtime/logger.ts";
import type { Role } from "./runtime/setting.ts";

/**
 * What every part of the service is handed. Passed by hand; a test overrides what it needs. A part that belongs to a
 * role says so, and then has that role's settings too.
 */
export type Context<C extends Config = Config> = {
  readonly config: C;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** the key of the check in every checkout token; the database's own */
  readonly checkoutKey: Buffer;
};

/** What the parts of one role are handed. */
export type ApiContext = Context<Config<"api">>;
export type WatcherContext = Context<Config<"watcher">>;
export type WebhooksContext = Context<Config<"webhooks">>;

/** Whether this process has the role, and with it the role's settings. */
export function hasRole<C extends { readonly config: Config }, R extends Role>(
  context: C,
  role: R,
): context is C & { readonly config: Config<R> } {
  return context.config.roles.includes(role);
}
