import { maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";
import type { AccountKeyId } from "../domain/ids.ts";

/** The row of an account key, made on first sight. */
export async function ensureAccountKey(
  db: Queryable,
  key: { id: AccountKeyId; xpub: string },
): Promise<AccountKeyId> {
  const known = await findAccountKey(db, key.xpub);
  if (known !== undefined) return known;
  await db.query(sql`
    insert into account_keys (id, xpub) values (${key.id}, ${key.xpub}) on conflict (xpub) do nothing`);
  const made = await findAccountKey(db, key.xpub);
  if (made === undefined) throw new Error("the account key just stored is not there");
  return made;
}

async function findAccountKey(db: Queryable, xpub: string): Promise<AccountKeyId | undefined> {
  return maybeOne(await db.query<{ id: AccountKeyId }>(sql`select id from account_keys where xpub = ${xpub}`))
    ?.id;
}

/**
 * Takes the next `count` indexes of an account key that were never taken before, in one statement: whatever becomes
 * of them, nobody gets them again. Answers the first.
 */
export async function takeIndexes(db: Queryable, accountKeyId: AccountKeyId, count: number): Promise<number> {
  const { first } = one(
    await db.query<{ first: bigint }>(sql`
      update account_keys set next_index = next_index + ${count}
      where id = ${accountKeyId}
      returning next_index - ${count} as first`),
  );
  return Number(first);
}
