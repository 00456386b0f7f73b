import type { Pool } from "pg";
import { createPool, type PoolOptions } from "./pool.ts";
import type { Database } from "./sql.ts";
import { runStatement, runTransaction } from "./transaction.ts";

/** How long closing waits for statements that are running before it leaves them to the server. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Opens the database behind `url`. Connections are made when they are needed, so a missing server shows later. */
export function openDatabase(options: PoolOptions): Database {
  const pool = createPool(options);
  return {
    query: (statement) => runStatement(pool, statement),
    transaction: (work) => runTransaction(pool, work),
    close: () => closePool(pool),
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
