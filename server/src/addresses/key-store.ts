import { maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { AccountKeyId } from "../domain/ids.ts";
import { databaseIdentity } from "./database-identity-store.ts";

/** An account key: whose addresses are issued. */
export type AccountKey = { readonly id: AccountKeyId; readonly xpub: string };

/**
 * So many indexes somebody may have without this database knowing: below the next one what processes had taken in memory,
 * above it what was issued since the backup. Far more than either.
 */
export const GAP = 10_000;

/**
 * A database that is another one goes on in one of so many places, {@link GAP} indexes each, drawn by lot: two copies of
 * one database sell the same addresses only where they draw the same. The other places are watched.
 */
export const PLACES = 8;

/**
 * While addresses of a gap wait to be taken in, this database knows of all that was issued before that gap: what is lost was
 * issued since. A further gap passes as much less as that is less than these seconds, and a tenth at least.
 */
const FULL_GAP_AFTER_SECONDS = 300;

/** Part of a statement on an account key: by how many indexes it skips where the database is another one. */
const stepOf = (gapSize: number): Sql => sql`
  coalesce((
    select ceil(${gapSize}::bigint * least(1, greatest(0.1,
      extract(epoch from now() - max(created_at)) / ${FULL_GAP_AFTER_SECONDS}::integer)))::bigint
    from index_gaps where account_key_id = account_keys.id and not is_watched
    having count(*) > 0), ${gapSize}::bigint)`;

const here = databaseIdentity("account_keys");

/**
 * Ranges of so many are derived one by one, by whoever comes: 0.05 s of a thread each. Each begins at a multiple of it, so
 * that two never overlap and what is watched already is not derived again.
 */
const RANGE = 500;

/** Part of a statement: the first index of the range that this one is in. */
const downToRange = (index: Sql): Sql => sql`((${index}) / ${RANGE}::bigint * ${RANGE}::bigint)`;
/** Part of a statement: the first index from this one on that begins a range. */
const upToRange = (index: Sql): Sql => downToRange(sql`${index} + ${RANGE - 1}::bigint`);

/** Part of a statement: keeps the indexes of a query of (id, first, beyond), whole ranges, as skipped. */
function insertedGap(indexes: Sql): Sql {
  return sql`
    insert into index_gaps (account_key_id, first, count)
    select id, range, ${RANGE}
    from (${indexes}) gap, generate_series(first, beyond - 1, ${RANGE}) range
    on conflict (account_key_id, first) do nothing
    returning count`;
}

/** The row of an account key, made on first sight. */
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

/** What one statement took. */
export type ReservedIndexes = {
  readonly first: number;
  /** how often indexes of this key were skipped */
  readonly gaps: number;
  /** when the server was started, in ms since 1970: what a server that was not started anew has on disk is its own */
  readonly startedMs: number;
  /** what this statement gave up, with the database that others were taken in and this one */
  readonly gap: (IndexGap & { readonly before: string; readonly now: string }) | undefined;
};

/** Indexes that are watched without a merchant, where no charge has them: how many from a first one on were not before. */
export type IndexGap = { readonly first: number; readonly count: number };

/**
 * Takes the next `count` indexes of an account key, 500 at most, that were never taken before and are not skipped, in one
 * statement: whatever becomes of them, nobody gets them again. In another database than that of the last statement it
 * skips first, by `gapSize` indexes to eight times as many, or by fewer while the addresses of a gap are still being taken in;
 * of several that meet it at once the first one does. All that somebody may have by then is skipped: from `gapSize` below the next
 * index to the last place, but for the place that it goes on in.
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
 * Gives up `count` taken indexes from `first` on, because one of them is used already, with so many `below`, and skips
 * so many `above`. Where somebody has skipped some since `gaps` was read, the taken ones alone are given up. Answers what was
 * skipped, in whole ranges.
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

type UsedIndexes = {
  readonly first: number;
  readonly count: number;
  readonly gaps: number;
  readonly below: number;
  readonly above: number;
};

/**
 * Whether this is another database than the one that indexes were last taken in, so that they are skipped as soon as any
 * are taken. A standby takes none.
 */
export async function isOtherDatabase(db: Queryable): Promise<boolean> {
  const { isOther } = one(
    await db.query<{ isOther: boolean }>(sql`
      select case when pg_is_in_recovery() then false
        else exists (select from account_keys where reserved_in <> ${here}) end as "isOther"`),
  );
  return isOther;
}

/**
 * Whether every index that somebody may have been given is watched: the database is the one that the last indexes were
 * taken in, and what was skipped is in the directory. With it when the server was started.
 */
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
