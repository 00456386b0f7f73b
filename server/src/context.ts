import type { Database } from "@daric/postgres/sql";
import type { Config } from "./config.ts";
import type { Clock } from "./runtime/clock.ts";
import type { Logger } from "./runtime/logger.ts";
import type { Metrics } from "./runtime/metrics.ts";

/** What every part of the service is handed. Passed by hand; a test overrides what it needs. */
export type Context = {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** the key of the check in every checkout token; the database's own */
  readonly checkoutKey: Buffer;
};
