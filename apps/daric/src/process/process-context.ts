import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage, type DatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger, type LogOutput, standardOutput } from "@daric/runtime/logger";
import { prettyOutput } from "@daric/runtime/pretty-output";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import type { Role } from "@daric/runtime/setting";
import { pingDatabase } from "../deployment/store.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { createMetrics } from "./metrics.ts";

/** After this time a ping is repeated, because the answer may be lost with a dead server. */
const PING_MS = 2_500;

/** The context of the process itself; its `db` is the pool of readiness. */
export type ProcessContext = Context & {
  readonly databases: Databases;
  readonly databaseOutage: DatabaseOutage;
};

/**
 * The context without the checkout key, which only the database has. `role` is the role of the start, and `output` gets the
 * log; default: standard output. Opens no connection yet.
 */
export function createProcessContext(
  config: Config,
  { role, output = standardOutput() }: { role: string; output: LogOutput | undefined },
): Omit<ProcessContext, "checkoutKey"> {
  const recentErrors = createRecentErrors();
  const { logLevel: level, logFormat } = config.runtime;
  const isColoured = process.stdout.isTTY === true;
  const destination = logFormat === "pretty" ? prettyOutput(output, { isColoured }) : output;
  const log = createLogger({ level, role, destination, recentErrors });
  const databases = openDatabases(config, {
    role,
    onLost: (pool, error) => {
      if (!databaseOutage.report(error))
        log.warn(
          { event: "database_connection_lost", pool, err: error },
          "an idle database connection was lost",
        );
    },
  });
  const db = databases.readiness;
  const ping = () => pingDatabase(db.answeringWithin(PING_MS));
  const databaseOutage = createDatabaseOutage({ log, clock: systemClock, ping });
  const metrics = createMetrics({ processMetrics: true, pools: databases.uses });
  return { config, databases, db, clock: systemClock, log, recentErrors, databaseOutage, metrics };
}

/** The same context with the connection pool of this role. */
export function forRole<C extends ProcessContext>(context: C, role: Role): C {
  return { ...context, db: context.databases.of(role) };
}
