import { one, type Queryable, sql } from "@daric/postgres/sql";

/**
 * Takes the lock of `daric init` on this database until the transaction ends. False if another `daric init` has it.
 */
export async function takeInitLock(tx: Queryable): Promise<boolean> {
  const statement = sql`select pg_try_advisory_xact_lock(hashtextextended('daric init', 0)) as "isTaken"`;
  return one(await tx.query<{ isTaken: boolean }>(statement)).isTaken;
}
