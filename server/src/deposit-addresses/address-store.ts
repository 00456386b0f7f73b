import { maybeOne, one, type Queryable, sql, type Transaction } from "../db/sql.ts";

/** An index of an account key that is ours to issue, with the address that was stored for it. */
export type TakenAddress = {
  readonly accountKeyId: string;
  readonly index: number;
  readonly address: string;
};

/** The row of an account key, made on first sight. */
export async function ensureAccountKey(db: Queryable, key: { id: string; xpub: string }): Promise<string> {
  const known = await findAccountKey(db, key.xpub);
  if (known !== undefined) return known;
  await db.query(sql`
    insert into account_keys (id, xpub) values (${key.id}, ${key.xpub}) on conflict (xpub) do nothing`);
  const made = await findAccountKey(db, key.xpub);
  if (made === undefined) throw new Error("the account key just stored is not there");
  return made;
}

async function findAccountKey(db: Queryable, xpub: string): Promise<string | undefined> {
  return maybeOne(await db.query<{ id: string }>(sql`select id from account_keys where xpub = ${xpub}`))?.id;
}

/**
 * Takes the lowest pooled address of an account key, with the transaction that issues it. Rows that other
 * transactions are taking are passed over, so nobody waits. Undefined where the pool is empty.
 */
export async function takePooledAddress(tx: Transaction, xpub: string): Promise<TakenAddress | undefined> {
  const row = maybeOne(
    await tx.query<Omit<TakenAddress, "index"> & { index: bigint }>(sql`
      with lowest as materialized (
        select account_key_id, derivation_index from pooled_addresses
        where account_key_id = (select id from account_keys where xpub = ${xpub})
        order by derivation_index limit 1 for update skip locked
      )
      delete from pooled_addresses pooled using lowest
      where pooled.account_key_id = lowest.account_key_id and pooled.derivation_index = lowest.derivation_index
      returning pooled.account_key_id as "accountKeyId", pooled.derivation_index as index, pooled.address`),
  );
  return row && { ...row, index: Number(row.index) };
}

/**
 * Takes the next `count` indexes of an account key that were never taken before, in one statement: whatever becomes
 * of them, nobody gets them again. Answers the first.
 */
export async function takeIndexes(db: Queryable, accountKeyId: string, count: number): Promise<number> {
  const row = one(
    await db.query<{ first: bigint }>(sql`
      update account_keys set next_index = next_index + ${count} where id = ${accountKeyId}
      returning next_index - ${count} as first`),
  );
  return Number(row.first);
}

export async function countPooledAddresses(db: Queryable, accountKeyId: string): Promise<number> {
  const row = one(
    await db.query<{ count: bigint }>(
      sql`select count(*) as count from pooled_addresses where account_key_id = ${accountKeyId}`,
    ),
  );
  return Number(row.count);
}

export async function insertPooledAddresses(
  db: Queryable,
  accountKeyId: string,
  addresses: readonly { index: number; address: string }[],
): Promise<void> {
  await db.query(sql`
    insert into pooled_addresses (account_key_id, derivation_index, address)
    select ${accountKeyId}, * from unnest(
      ${addresses.map(({ index }) => index)}::bigint[],
      ${addresses.map(({ address }) => address)}::text[])`);
}
