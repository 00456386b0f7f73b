import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { AccountKeyId } from "../domain/ids.ts";

/** An index of an account key that is ours to issue, with the address that was stored for it. */
export type TakenAddress = {
  readonly accountKeyId: AccountKeyId;
  readonly index: number;
  readonly address: string;
};

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
 * Takes the lowest pooled address of an account key out of the pool, with the transaction that issues it, and says
 * whether a charge has it already. Rows that other transactions are taking are passed over, so nobody waits.
 * Undefined where the pool is empty.
 */
export async function takePooledAddress(
  tx: Transaction,
  xpub: string,
): Promise<(TakenAddress & { readonly isIssued: boolean }) | undefined> {
  const row = maybeOne(
    await tx.query<Omit<TakenAddress, "index"> & { index: bigint; isIssued: boolean }>(sql`
      with lowest as materialized (
        select account_key_id, derivation_index from pooled_addresses
        where account_key_id = (select id from account_keys where xpub = ${xpub})
        order by derivation_index limit 1 for update skip locked
      )
      delete from pooled_addresses pooled using lowest
      where pooled.account_key_id = lowest.account_key_id and pooled.derivation_index = lowest.derivation_index
      returning pooled.account_key_id as "accountKeyId", pooled.derivation_index as index, pooled.address,
        exists (select from deposit_addresses issued where issued.address = pooled.address) as "isIssued"`),
  );
  return row && { ...row, index: Number(row.index) };
}

/**
 * Takes the next `count` indexes of an account key that were never taken before, in one statement: whatever becomes
 * of them, nobody gets them again. Answers the first. A `next_index` that fell behind the pool or the charges, as in
 * a database that was put together from two backups, is passed by.
 */
export async function takeIndexes(db: Queryable, accountKeyId: AccountKeyId, count: number): Promise<number> {
  const row = one(
    await db.query<{ first: bigint }>(sql`
      update account_keys set next_index = ${count} + greatest(next_index,
        (select max(derivation_index) + 1 from pooled_addresses where account_key_id = ${accountKeyId}),
        (select max(used.index) + 1
          from account_keys known, lateral (
            select max(derivation_index) as index from deposit_addresses where account_key_id = known.id
          ) used))
      where id = ${accountKeyId}
      returning next_index - ${count} as first`),
  );
  return Number(row.first);
}

export async function countPooledAddresses(db: Queryable, accountKeyId: AccountKeyId): Promise<number> {
  const row = one(
    await db.query<{ count: bigint }>(
      sql`select count(*) as count from pooled_addresses where account_key_id = ${accountKeyId}`,
    ),
  );
  return Number(row.count);
}

/** Adds to the pool what is neither in it nor issued already. */
export async function insertPooledAddresses(
  db: Queryable,
  accountKeyId: AccountKeyId,
  addresses: readonly { index: number; address: string }[],
): Promise<void> {
  await db.query(sql`
    insert into pooled_addresses (account_key_id, derivation_index, address)
    select ${accountKeyId}, derived.* from unnest(
      ${addresses.map(({ index }) => index)}::bigint[],
      ${addresses.map(({ address }) => address)}::text[]) as derived (index, address)
    where not exists (select from deposit_addresses issued where issued.address = derived.address)
    on conflict do nothing`);
}
