import type { AccountKeyId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { databaseIdentity } from "./database-identity-store.ts";

export type AccountKey = { readonly id: AccountKeyId; readonly xpub: string };

/** More indexes than processes hold in memory, and more than are issued between a backup and its restore. */
export const GAP = 10_000;

/** A copied database continues at one of this many random places, {@link GAP} indexes apart, and watches the others. */
export const PLACES = 8;

/**
 * While a gap is unwatched, the database knows all indexes from before it, so another gap may be shorter. Its
 * length grows with the age of the last one, from a tenth to the whole after these seconds.
 */
const FULL_GAP_AFTER_SECONDS = 300;

/** SQL on an account key: the number of indexes to skip in a copied database. */
const stepOf = (gapSize: number): Sql => sql`
  coalesce((
    select ceil(${gapSize}::bigint * least(1, greatest(0.1,
      extract(epoch from now() - max(created_at)) / ${FULL_GAP_AFTER_SECONDS}::integer)))::bigint
    from index_gaps where account_key_id = account_keys.id and not is_watched
    having count(*) > 0), ${gapSize}::bigint)`;

const here = databaseIdentity("account_keys");

/** The length of a range, whose derivation takes 0.05 s. Ranges start at multiples of it, so they never overlap. */
const RANGE = 500;

/** SQL: the first index of the range around this one. */
const downToRange = (index: Sql): Sql => sql`((${index}) / ${RANGE}::bigint * ${RANGE}::bigint)`;
/** SQL: the first index from this one on that starts a range. */
const upToRange = (index: Sql): Sql => downToRange(sql`${index} + ${RANGE - 1}::bigint`);

/** SQL: stores the indexes of a query of (id, first, beyond), in whole ranges, as gaps. */
function insertedGap(indexes: Sql): Sql {
  return sql`
    insert into index_gaps (account_key_id, first, count)
    select id, range, ${RANGE}
    from (${indexes}) gap, generate_series(first, beyond - 1, ${RANGE}) range
    on conflict (account_key_id, first) do nothing
    returning count`;
}

/** The id of an account key; its first use stores it. */
export async function ensureAccountKey(db: Queryable, key: AccountKey): Promise<AccountKeyId> {
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

export async function listAccountKeys(db: Queryable): Promise<AccountKey[]> {
  return db.query(sql`select id, xpub from account_keys order by created_at, id`);
}

export type ReservedIndexes = {
  readonly first: number;
  readonly gaps: number;
  /** the server's start time, in ms since 1970: without a restart its disk cannot have been replaced */
  readonly startedMs: number;
  readonly gap: (IndexGap & { readonly before: string; readonly now: string }) | undefined;
};

/** Indexes that are skipped for good. `count` leaves out those that were in a gap before. */
export type IndexGap = { readonly first: number; readonly count: number };

/**
 * Reserves the next `count` indexes (at most 500) of an account key in one statement; they are never reserved again.
 *
 * In a copied or restored database the statement first leaves a gap. It reaches from `gapSize` below the next index to the
 * end of the last place, and spares the place where it continues. The first of concurrent statements does so.
 */
export async function reserveIndexRow(
  db: Queryable,
  accountKeyId: AccountKeyId,
  { count, gapSize }: { count: number; gapSize: number },
): Promise<ReservedIndexes> {
  const row = one(
    await db.query<Omit<ReservedIndexes, "first" | "gap"> & ReservedRow>(sql`
      with known as materialized (
        select id, next_index, gaps, reserved_in, place.here, coalesce(reserved_in <> place.here, false) as is_elsewhere,
          floor(random() * ${PLACES}::integer)::bigint as lot, ${upToRange(stepOf(gapSize))} as step
        from account_keys, ${here} as place (here)
        where id = ${accountKeyId} for update of account_keys
      ), placed as materialized (
        select known.*, ${upToRange(sql`greatest(next_index, gap_end) + step`)} as places,
          case when exists (
            select from index_gaps
            where account_key_id = id and first > next_index - ${RANGE}::bigint and first < next_index + ${RANGE}::bigint
          ) then gap_end else next_index end as free
        from known, lateral (
          select coalesce(max(first) + ${RANGE}, 0)::bigint as gap_end from index_gaps where account_key_id = id
        ) gap
      ), target as materialized (
        select id, is_elsewhere, free, step, ${downToRange(sql`greatest(0, next_index - ${gapSize}::bigint)`)} as from_index,
          places + lot * step as landing, places + ${PLACES} * step as beyond
        from placed
      ), gap_ranges as (
        ${insertedGap(sql`
          select id, from_index as first, landing as beyond from target where is_elsewhere
          union all select id, landing + step, beyond from target where is_elsewhere`)}
      ), taken as (
        update account_keys key set
          next_index = case when target.is_elsewhere then landing else free end + ${count}::bigint,
          gaps = known.gaps + target.is_elsewhere::integer,
          reserved_in = known.here
        from known join target using (id) where key.id = known.id
      )
      select case when target.is_elsewhere then landing else free end as first, gaps + target.is_elsewhere::integer as gaps,
        target.is_elsewhere as "isElsewhere", from_index as "from",
        (select coalesce(sum(count), 0)::bigint from gap_ranges) as "gapCount",
        reserved_in as before, here as now, extract(epoch from pg_postmaster_start_time())::float8 * 1000 as "startedMs"
      from known join target using (id)`),
  );
  const { gaps, startedMs, before, now } = row;
  const gap = { first: Number(row.from), count: Number(row.gapCount), before, now };
  return { first: Number(row.first), gaps, startedMs, gap: row.isElsewhere ? gap : undefined };
}

type ReservedRow = {
  readonly first: bigint;
  readonly isElsewhere: boolean;
  readonly from: bigint;
  readonly gapCount: bigint;
  readonly before: string;
  readonly now: string;
};

/**
 * Gives up `count` reserved indexes from `first` on, because one of them is used already. The gap includes `below` indexes
 * before and `above` after, unless another gap has been left since `gaps` was read. Returns the gap in whole ranges.
 */
export async function leaveGap(
  db: Queryable,
  accountKeyId: AccountKeyId,
  { first, count, gaps, below, above }: UsedIndexes,
): Promise<IndexGap> {
  const row = one(
    await db.query<{ first: bigint; count: bigint }>(sql`
      with known as materialized (
        select id, next_index, gaps, gaps = ${gaps} as is_first
        from account_keys where id = ${accountKeyId} for update
      ), given_up as materialized (
        select id, ${downToRange(sql`case when is_first then greatest(0, ${first}::bigint - ${below}) else ${first} end`)} as first,
          ${upToRange(sql`case when is_first then next_index + ${above} else ${first + count} end`)} as beyond
        from known
        where is_first or ${count}::bigint > 0
      ), gap_ranges as (
        ${insertedGap(sql`select * from given_up`)}
      ), advanced as (
        update account_keys key set next_index = given_up.beyond, gaps = known.gaps + 1
        from known join given_up using (id) where key.id = known.id and is_first
      )
      select coalesce(given_up.first, ${first}) as first, (select coalesce(sum(count), 0)::bigint from gap_ranges) as count
      from known left join given_up using (id)`),
  );
  return { first: Number(row.first), count: Number(row.count) };
}

/**
 * Takes an index that lies at or beyond the next one: all up to it become a gap, whose addresses the watcher watches. An
 * index below the next one is taken already.
 */
export async function skipThrough(tx: Transaction, accountKeyId: AccountKeyId, index: number): Promise<void> {
  const { next, gaps } = one(
    await tx.query<{ next: bigint; gaps: number }>(sql`
      select next_index as next, gaps from account_keys where id = ${accountKeyId} for update`),
  );
  const first = Number(next);
  if (index < first) return;
  await leaveGap(tx, accountKeyId, { first, count: 0, gaps, below: 0, above: index + 1 - first });
}

type UsedIndexes = {
  readonly first: number;
  readonly count: number;
  readonly gaps: number;
  readonly below: number;
  readonly above: number;
};

/** The next index of an xpub; 0 before its first use. */
export async function findNextIndex(db: Queryable, xpub: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ next: bigint }>(sql`select next_index as next from account_keys where xpub = ${xpub}`),
  );
  return Number(row?.next ?? 0);
}

/** Whether indexes were last reserved in another database, so that the next reservation leaves a gap. A standby reserves none. */
export async function isOtherDatabase(db: Queryable): Promise<boolean> {
  const { isOther } = one(
    await db.query<{ isOther: boolean }>(sql`
      select case when pg_is_in_recovery() then false
        else exists (select from account_keys where reserved_in <> ${here}) end as "isOther"`),
  );
  return isOther;
}

/** Whether every index that may have been issued is watched, and the server's start time in ms since 1970. */
export async function findIndexState(
  db: Queryable,
): Promise<{ readonly isWatched: boolean; readonly startedMs: number }> {
  return one(
    await db.query<{ isWatched: boolean; startedMs: number }>(sql`
      select not exists (select from account_keys where reserved_in <> ${here})
          and not exists (select from index_gaps where not is_watched) as "isWatched",
        extract(epoch from pg_postmaster_start_time())::float8 * 1000 as "startedMs"`),
  );
}
