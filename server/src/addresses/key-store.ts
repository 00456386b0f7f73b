import { maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { AccountKeyId } from "../domain/ids.ts";

/** An account key: whose addresses are issued. */
export type AccountKey = { readonly id: AccountKeyId; readonly xpub: string };

/** So many indexes are jumped over where others may have taken some: far more than are taken between two backups. */
export const JUMP = 10_000;

/**
 * The database as it names itself: the cluster, the timeline that begins anew with each promotion, the database in it
 * and the table in that. A copy differs in one of them at least, but for one of the disk.
 */
const here = sql`
  (select pg_control_system.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
      (select oid from pg_database where datname = current_database()) || '/' || 'account_keys'::regclass::oid
    from pg_control_system())`;

/** Ranges of so many are derived one by one, by whoever comes: 0.2 s of a thread each. */
const RANGE = 500;

/** Part of a statement: keeps ranges of indexes, a query of (id, first, count), as skipped and not watched yet. */
function skippedIndexes(ranges: Sql): Sql {
  return sql`
    insert into skipped_addresses (account_key_id, first, count)
    select id, first + past, least(${RANGE}, count - past)
    from (${ranges}) range, generate_series(0, count - 1, ${RANGE}) past
    on conflict (account_key_id, first) do nothing`;
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
export type TakenIndexes = {
  readonly first: number;
  /** how often indexes of this key were jumped over */
  readonly jumps: number;
  /** when the server was started, in ms since 1970: what a server that was not started anew has on disk is its own */
  readonly startedMs: number;
  /** the indexes that this statement jumped over, with the database that others were taken in and this one */
  readonly skipped: { first: number; count: number; before: string; now: string } | undefined;
};

/**
 * Takes the next `count` indexes of an account key that were never taken before, in one statement: whatever becomes
 * of them, nobody gets them again. In another database than that of the last statement it jumps over 10,000 indexes
 * first; of several that meet it at once the first one does.
 */
export async function takeIndexes(
  db: Queryable,
  accountKeyId: AccountKeyId,
  count: number,
): Promise<TakenIndexes> {
  const row = one(
    await db.query<{
      next: bigint;
      jumps: number;
      startedMs: number;
      isElsewhere: boolean;
      before: string;
      now: string;
    }>(sql`
      with known as materialized (
        select id, next_index, jumps, taken_in, place.here, coalesce(taken_in <> place.here, false) as is_elsewhere
        from account_keys, ${here} as place (here)
        where id = ${accountKeyId} for update of account_keys
      ), skipped as (
        ${skippedIndexes(sql`select id, next_index as first, ${JUMP}::bigint as count from known where is_elsewhere`)}
      ), taken as (
        update account_keys key set
          next_index = known.next_index + ${count} + case when is_elsewhere then ${JUMP}::bigint else 0 end,
          jumps = known.jumps + is_elsewhere::integer,
          taken_in = known.here
        from known where key.id = known.id
      )
      select next_index as next, jumps, is_elsewhere as "isElsewhere", taken_in as before, here as now,
        extract(epoch from pg_postmaster_start_time())::float8 * 1000 as "startedMs"
      from known`),
  );
  const { before, now, startedMs } = row;
  const next = Number(row.next);
  if (!row.isElsewhere) return { first: next, jumps: row.jumps, startedMs, skipped: undefined };
  const skipped = { first: next, count: JUMP, before, now };
  return { first: next + JUMP, jumps: row.jumps + 1, startedMs, skipped };
}

/**
 * Gives up `count` taken indexes from `first` on, because one of them is used already, and jumps over 10,000 more. Where
 * somebody has jumped since `jumps` was read, the taken ones alone are given up. Answers how many were skipped.
 */
export async function skipIndexes(
  db: Queryable,
  accountKeyId: AccountKeyId,
  { first, count, jumps }: { first: number; count: number; jumps: number },
): Promise<number> {
  const row = one(
    await db.query<{ count: bigint }>(sql`
      with known as materialized (
        select id, next_index, jumps, jumps = ${jumps} as is_first,
          case when jumps = ${jumps} then next_index + ${JUMP} - ${first} else ${count} end::bigint as count
        from account_keys where id = ${accountKeyId} for update
      ), skipped as (
        ${skippedIndexes(sql`select id, ${first}::bigint as first, count from known where count > 0`)}
      ), jumped as (
        update account_keys key set next_index = known.next_index + ${JUMP}, jumps = known.jumps + 1
        from known where key.id = known.id and is_first
      )
      select count from known`),
  );
  return Number(row.count);
}

/**
 * Whether every index that somebody may have been given is watched: the database is the one that the last indexes were
 * taken in, and what was jumped over is in the directory. With it when the server was started.
 */
export async function findIndexState(
  db: Queryable,
): Promise<{ readonly isWatched: boolean; readonly startedMs: number }> {
  return one(
    await db.query<{ isWatched: boolean; startedMs: number }>(sql`
      select not exists (select from account_keys where taken_in <> ${here})
          and not exists (select from skipped_addresses where not is_watched) as "isWatched",
        extract(epoch from pg_postmaster_start_time())::float8 * 1000 as "startedMs"`),
  );
}
