import type { Pool } from "pg";
import { type Limits, limitsWithin, WORKER_LIMITS } from "./limits.ts";
import { connectionConfig, createPool, DEFAULT_MAX, type PoolOptions } from "./pool.ts";
import { openQuickReads } from "./quick-reads.ts";
import { type SilenceOptions, watchSilence } from "./silence.ts";
import type { Database } from "./sql.ts";
import { createShares } from "./tenant-shares.ts";
import { type DatabaseScope, runStatement, runTransaction } from "./transaction.ts";

const CLOSE_TIMEOUT_MS = 5_000;
/** One lane is as fast for 32 callers (measured), but a slow answer on it would delay all of them. */
const LANES = 2;
/** With fewer connections than this there are no lanes: transactions need them all. */
const MIN_CONNECTIONS_FOR_LANES = 6;

export type DatabaseOptions = PoolOptions & {
  limits?: Partial<Limits>;
  /** Connections for statements marked as {@link quick}; by default 2 if `max` allows it. */
  lanes?: number;
  /** If set, a database that accepts connections and does not answer is detected. */
  silence?: SilenceOptions;
};

export type PoolUse = {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
};

/** Opens the database at `url`. Connections are made on demand, so a missing server shows at the first statement. */
export function openDatabase({
  limits,
  lanes: wished,
  silence: listening,
  ...options
}: DatabaseOptions): Database & { use(): PoolUse } {
  const { max = DEFAULT_MAX } = options;
  const lanes = wished ?? (max < MIN_CONNECTIONS_FOR_LANES ? 0 : LANES);
  const pool = createPool({ ...options, max: max - lanes });
  const quickReads = openQuickReads(connectionConfig(options), lanes);
  const shares = createShares(max - lanes);
  const silence = listening && watchSilence(pool, listening);
  const use = (): PoolUse => {
    const { open, busy } = quickReads.use();
    const { totalCount, idleCount, waitingCount } = pool;
    return {
      max,
      inUse: totalCount - idleCount + busy,
      idle: idleCount + open - busy,
      waiting: waitingCount,
    };
  };
  return {
    ...databaseOn({ pool, quickReads, shares, silence, limits: { ...WORKER_LIMITS, ...limits } }),
    use,
  };
}

function databaseOn(scope: DatabaseScope): Database {
  return {
    query: (statement) => runStatement(scope, statement),
    transaction: (work) => runTransaction(scope, work),
    answeringWithin: (ms) => databaseOn({ ...scope, limits: limitsWithin(ms) }),
    forTenant: (tenant) => databaseOn({ ...scope, tenant }),
    close: async () => {
      scope.silence?.stop();
      scope.quickReads.close();
      await closePool(scope.pool);
    },
  };
}

async function closePool(pool: Pool): Promise<void> {
  if (pool.ending) return;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  await Promise.race([pool.end(), timeout]);
  clearTimeout(timer);
}
