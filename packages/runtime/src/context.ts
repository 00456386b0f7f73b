import type { Database } from "@daric/postgres/sql";
import type { Clock } from "./clock.ts";
import type { DatabaseOutage } from "./database-outage.ts";
import type { Logger } from "./logger.ts";
import type { RecentErrors } from "./recent-errors.ts";

/** The parts that every folder receives. Its `context.ts` has its settings and metrics, or names them. */
export type ContextOf<Config = unknown, Metrics = unknown> = {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly recentErrors: Pick<RecentErrors, "list">;
  /** Database outages are reported here, and nowhere else. */
  readonly databaseOutage: Pick<DatabaseOutage, "report" | "follow">;
  readonly metrics: Metrics;
};

/** The same context, limited to one merchant's share of the connections ({@link Database.forTenant}). */
export function forMerchant<C extends Pick<ContextOf, "db">>(context: C, merchantId: string): C {
  return { ...context, db: context.db.forTenant(merchantId) };
}
