import { pingDatabase } from "../deployment/store.ts";
import { systemClock } from "../runtime/clock.ts";
import { createDatabaseOutage, type DatabaseOutage } from "../runtime/database-outage.ts";
import { createLogger, type LogOutput, standardOutput } from "../runtime/logger.ts";
import { prettyOutput } from "../runtime/pretty-output.ts";
import { createRecentErrors } from "../runtime/recent-errors.ts";
import type { Role } from "../runtime/setting.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { createMetrics } from "./metrics.ts";

/** What has not answered by then is asked anew: the answer may have been lost with a server that is gone. */
const PING_MS = 2_500;

/** What the process itself is handed: its own `db` is that of what looks after all the others. */
export type ProcessContext = Context & {
  readonly databases: Databases;
  readonly databaseOutage: DatabaseOutage;
};

/**
 * All but what only the database knows. `role` is what the process was started as, and `output` where its log goes; standard
 * output where it is not given. Opens no connection yet.
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

/** The same for a part of this role, on the role's connections. */
export function forRole<C extends ProcessContext>(context: C, role: Role): C {
  return { ...context, db: context.databases.of(role) };
}
