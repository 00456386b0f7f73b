import type { Pool } from "pg";
import { type Limits, limitsWithin, WORKER_LIMITS } from "./limits.ts";
import { connectionConfig, createPool, DEFAULT_MAX, type PoolOptions } from "./pool.ts";
import { openQuickReads } from "./quick-reads.ts";
import { type SilenceOptions, watchSilence } from "./silence.ts";
import type { Database } from "./sql.ts";
import { createShares } from "./tenant-shares.ts";
import { type Place, runStatement, runTransaction } from "./transaction.ts";

/** How long closing waits for statements that are running before it leaves them to the server. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Measured: one is as good at 32 callers, but one that waits for a slow answer needs another beside it. */
const LANES = 2;
/** With fewer connections than this, transactions need them all. */
const LEAST_FOR_LANES = 6;

export type DatabaseOptions = PoolOptions & {
  /** {@link WORKER_LIMITS} where they are not given. */
  limits?: Partial<Limits>;
  /** Connections of these that statements marked as {@link quick} share; 2 where there may be enough. */
  lanes?: number;
  /** Nobody waits long for a database that accepts connections and answers nothing, where it is given. */
  silence?: SilenceOptions;
};

/** The connections that there may be, those that do something, those that wait for it, and who waits for one. */
export type PoolUse = {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
};

/**
 * Opens the database behind `url`. Connections are made when they are needed, so a missing server shows later. Where
 * there may be enough of them, two are kept for statements marked as {@link quick}.
 */
export function openDatabase({
  limits,
  lanes: wished,
  silence: listening,
  ...options
}: DatabaseOptions): Database & { use(): PoolUse } {
  const { max = DEFAULT_MAX } = options;
  const lanes = wished ?? (max < LEAST_FOR_LANES ? 0 : LANES);
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

function databaseOn(place: Place): Database {
  return {
    query: (statement) => runStatement(place, statement),
    transaction: (work) => runTransaction(place, work),
    answeringWithin: (ms) => databaseOn({ ...place, limits: limitsWithin(ms) }),
    ofTenant: (tenant) => databaseOn({ ...place, tenant }),
    close: async () => {
      place.silence?.stop();
      place.quickReads.close();
      await closePool(place.pool);
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
