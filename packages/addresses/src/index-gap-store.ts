import type { AccountKeyId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { DerivedAddress, IndexRange } from "./derive-range.ts";

export type GapRange = IndexRange & { readonly accountKeyId: AccountKeyId };

/** An unwatched range that no other process derives, locked until the transaction ends. */
export async function lockUnwatched(tx: Transaction): Promise<GapRange | undefined> {
  const row = maybeOne(
    await tx.query<{ accountKeyId: AccountKeyId; xpub: string; first: bigint; count: bigint }>(sql`
      select range.account_key_id as "accountKeyId", key.xpub, range.first, range.count
      from index_gaps range join account_keys key on key.id = range.account_key_id
      where not range.is_watched
      order by range.account_key_id, range.first limit 1 for update of range skip locked`),
  );
  return row && { ...row, first: Number(row.first), count: Number(row.count) };
}

/** Enters the addresses of a range in the directory without a merchant. Those of charges stay unchanged. */
export async function watchRange(
  tx: Transaction,
  { accountKeyId, first }: GapRange,
  derived: readonly DerivedAddress[],
): Promise<void> {
  await tx.query(sql`
    insert into address_directory (address, account_key_id, derivation_index)
    select address, ${accountKeyId}, index from unnest(
      ${derived.map(({ bytes }) => Buffer.from(bytes))}::bytea[], ${derived.map(({ index }) => index)}::bigint[]
    ) as derived (address, index)
    on conflict (address) do nothing`);
  await tx.query(sql`
    update index_gaps set is_watched = true where account_key_id = ${accountKeyId} and first = ${first}`);
}

export async function countUnwatched(db: Queryable): Promise<number> {
  const row = one(
    await db.query<{ count: bigint }>(
      sql`select coalesce(sum(count), 0)::bigint as count from index_gaps where not is_watched`,
    ),
  );
  return Number(row.count);
}
