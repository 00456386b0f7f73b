import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Contestant } from "./harness.ts";

/** Enough to hide the first reads of a fresh connection. */
const REQUESTS = 2_000;
/** Time for a pool to notice closed connections. */
const NOTICE_MS = 500;

/** Pages of tables and indexes that one operation reads, cached or not, including its share of background work. */
export async function buffersOf({ run }: Contestant, db: pg.Client): Promise<number> {
  await endConnections(db);
  const before = await pagesRead(db);
  const { done } = await run({ count: REQUESTS });
  await endConnections(db);
  return ((await pagesRead(db)) - before) / done;
}

/** Ends all connections, since a connection reports its reads only later or at its end. */
async function endConnections(db: pg.Client): Promise<void> {
  await db.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  await sleep(NOTICE_MS);
}

async function pagesRead(db: pg.Client): Promise<number> {
  const { rows } = await db.query(`
    select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
      + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))::float8 as pages
    from pg_statio_user_tables`);
  return rows[0].pages;
}
