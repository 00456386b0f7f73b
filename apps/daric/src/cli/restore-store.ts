import type { MerchantId } from "@daric/domain/ids";
import { maybeOne, one, oneOf, type Queryable, sql } from "@daric/postgres/sql";

export type CopyAge = {
  /** the database's time now */
  readonly now: Date;
  /** the newest block that was read, and when the watcher wrote it; null before the first */
  readonly block: bigint | null;
  readonly blockTime: Date | null;
  readonly watchedAt: Date | null;
};

export async function findCopyAge(db: Queryable, network: string): Promise<CopyAge> {
  return one(
    await db.query<CopyAge>(sql`
      select now() as now, number as block, time as "blockTime", updated_at as "watchedAt"
      from (values (1)) this left join scan_cursors on network = ${network}`),
  );
}

/** The time of the newest charge of these merchants. */
export async function findNewestCharge(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<Date | undefined> {
  const row = maybeOne(
    await db.query<{ at: Date | null }>(sql`
      select max(created_at) as at from deposit_addresses where merchant_id ${oneOf(merchantIds)}`),
  );
  return row?.at ?? undefined;
}

/** An account key with its next index, and the highest index that belongs to a charge. */
export type KeyIndexes = {
  readonly xpub: string;
  readonly nextIndex: bigint;
  readonly highestIndex: bigint | null;
};

export async function listKeyIndexes(db: Queryable): Promise<KeyIndexes[]> {
  return db.query<KeyIndexes>(sql`
    select key.xpub, key.next_index as "nextIndex", (
        select max(derivation_index) from address_directory
        where account_key_id = key.id and merchant_id is not null) as "highestIndex"
    from account_keys key order by key.created_at, key.id`);
}
