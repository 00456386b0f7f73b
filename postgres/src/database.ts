import type { Pool } from "pg";
import { type Limits, limitsWithin, WORKER_LIMITS } from "./limits.ts";
import { connectionConfig, createPool, DEFAULT_MAX, type PoolOptions } from "./pool.ts";
import { openQuickReads } from "./quick-reads.ts";
import type { Database } from "./sql.ts";
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
};

/**
 * Opens the database behind `url`. Connections are made when they are needed, so a missing server shows later. Where
 * there may be enough of them, two are kept for statements marked as {@link quick}.
 */
export function openDatabase({ limits, ...options }: DatabaseOptions): Database {
  const { max = DEFAULT_MAX } = options;
  const lanes = max < LEAST_FOR_LANES ? 0 : LANES;
  const pool = createPool({ ...options, max: max - lanes });
  const quickReads = openQuickReads(connectionConfig(options), lanes);
  return databaseOn({ pool, quickReads, limits: { ...WORKER_LIMITS, ...limits } });
}

function databaseOn(place: Place): Database {
  return {
    query: (statement) => runStatement(place, statement),
    transaction: (work) => runTransaction(place, work),
    answeringWithin: (ms) => databaseOn({ ...place, limits: limitsWithin(ms) }),
    close: async () => {
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
