import type { Pool } from "pg";
import { type Limits, limitsWithin, WORKER_LIMITS } from "./limits.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import type { Database } from "./sql.ts";
import { type Place, runStatement, runTransaction } from "./transaction.ts";

/** How long closing waits for statements that are running before it leaves them to the server. */
const CLOSE_TIMEOUT_MS = 5_000;

export type DatabaseOptions = PoolOptions & {
  /** {@link WORKER_LIMITS} where they are not given. */
  limits?: Partial<Limits>;
};

/** A database whose connections can be used under other limits. */
export type OpenDatabase = Database & {
  /**
   * The same connections for callers who wait: whatever the server does, a statement and a whole transaction are
   * answered within `ms`, by DatabaseUnavailableError or CommitUnknownError at the latest.
   */
  answeringWithin(ms: number): Database;
};

/** Opens the database behind `url`. Connections are made when they are needed, so a missing server shows later. */
export function openDatabase({ limits, ...options }: DatabaseOptions): OpenDatabase {
  return databaseOn({ pool: createPool(options), limits: { ...WORKER_LIMITS, ...limits } });
}

function databaseOn(place: Place): OpenDatabase {
  return {
    query: (statement) => runStatement(place, statement),
    transaction: (work) => runTransaction(place, work),
    answeringWithin: (ms) => databaseOn({ ...place, limits: limitsWithin(ms) }),
    close: () => closePool(place.pool),
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
