import type { Database } from "@daric/postgres/sql";
import type { Clock } from "./clock.ts";
import type { DatabaseOutage } from "./database-outage.ts";
import type { Logger } from "./logger.ts";
import type { RecentErrors } from "./recent-errors.ts";

/**
 * What every part of the service is handed. Passed by hand; a test overrides what it needs. A room says in its own
 * `context.ts` which settings and which metrics its verbs take; what a process has of both is put together above them.
 */
export type ContextOf<Config = unknown, Metrics = unknown> = {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** the last lines of the log that somebody should have seen */
  readonly recentErrors: Pick<RecentErrors, "list">;
  /** who meets the database being away tells it here, and writes no line about it */
  readonly databaseOutage: Pick<DatabaseOutage, "report" | "follow">;
  readonly metrics: Metrics;
};

/** The same context for what one merchant asks, who has a share of the connections and no more ({@link Database.ofTenant}). */
export function forMerchant<C extends Pick<ContextOf, "db">>(context: C, merchantId: string): C {
  return { ...context, db: context.db.ofTenant(merchantId) };
}
