import { maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";

/** The range of read blocks, and the newest solid one. */
export type ReadRange = {
  /** null before the first block */
  readonly first: number | null;
  readonly last: number;
  readonly lastTime: Date;
  readonly solid: number;
};

export async function findReadRange(db: Queryable, network: string): Promise<ReadRange | undefined> {
  const row = maybeOne(
    await db.query<{ first: bigint | null; last: bigint; lastTime: Date; solid: bigint }>(sql`
      select first.number as first, position.number as last, position.time as "lastTime", solid_number as solid
      from scan_cursors position
      left join lateral (
        select number from blocks where network = position.network and orphaned_at is null order by number limit 1
      ) first on true
      where network = ${network}`),
  );
  return (
    row && {
      first: row.first === null ? null : Number(row.first),
      last: Number(row.last),
      lastTime: row.lastTime,
      solid: Number(row.solid),
    }
  );
}

/** The number of blocks of our chain, which it counts, and the age of the newest. */
export async function countReadBlocks(
  db: Queryable,
  network: string,
): Promise<{ count: number; lagSeconds: number }> {
  const { count, lagSeconds } = one(
    await db.query<{ count: bigint; lagSeconds: number }>(sql`
      select (select count(*) from blocks where network = ${network} and orphaned_at is null) as count,
        greatest(0, extract(epoch from now() - time))::float8 as "lagSeconds"
      from scan_cursors where network = ${network}`),
  );
  return { count: Number(count), lagSeconds: Math.round(lagSeconds) };
}

/** A text that changes while a watcher works; undefined without one. */
export async function findWatcherLease(db: Queryable, network: string): Promise<string | undefined> {
  const row = maybeOne(
    await db.query<{ renewal: string }>(sql`
      select epoch || '/' || renewals || '/' || is_free as renewal from leases where name = ${`watcher:${network}`}`),
  );
  return row?.renewal;
}
