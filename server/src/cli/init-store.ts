import { one, type Queryable, sql } from "@daric/postgres/sql";

/** Whether no other `daric init` works on this database. Until the end of this transaction none can begin. */
export async function takeInitLock(tx: Queryable): Promise<boolean> {
  const statement = sql`select pg_try_advisory_xact_lock(hashtextextended('daric init', 0)) as "isTaken"`;
  return one(await tx.query<{ isTaken: boolean }>(statement)).isTaken;
}
