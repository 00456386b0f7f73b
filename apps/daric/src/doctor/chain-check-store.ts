import { type Queryable, sql } from "@daric/postgres/sql";
import { BUCKET_BLOCKS, type BucketCount } from "./bucket.ts";
import type { Violation } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

/** The number of blocks per statement. */
const BLOCKS_AT_ONCE = 200_000;

/** Blocks of our chain of a network, both ends included. */
export type BlockRange = { readonly network: string; readonly from: bigint; readonly to: bigint };

/** Ranges that together cover the stored chain, the last without an end. */
export async function listBlockRanges(db: Queryable, network: string): Promise<BlockRange[]> {
  const ends = await db.query<{ number: bigint }>(sql`
    (select number from blocks where network = ${network} and orphaned_at is null order by number limit 1)
    union all
    (select number from blocks where network = ${network} and orphaned_at is null order by number desc limit 1)`);
  const [first, last] = [Number(ends[0]?.number ?? 0n), Number(ends[1]?.number ?? 0n)];
  const count = Math.floor((last - first) / BLOCKS_AT_ONCE) + 1;
  return Array.from({ length: count }, (_, index) => {
    const from = BigInt(first + index * BLOCKS_AT_ONCE);
    return { network, from, to: from + BigInt(BLOCKS_AT_ONCE) - 1n };
  });
}

/**
 * Violations in a range of the stored chain: gaps, links, and the order of the writers' epochs; also at its
 * beginning.
 */
export function findChainViolations(db: Queryable, { network, from, to }: BlockRange): Promise<Violation[]> {
  const ours = sql`network = ${network} and orphaned_at is null`;
  return findViolations(db, {
    sample: sql`number || case when number_before <> number - 1 then ' after ' || number_before else '' end`,
    faults: [
      [
        "I3",
        "block that does not follow the block read before it",
        sql`number_before <> number - 1 or id_before <> parent_id`,
      ],
      // A rescan adds a lower block under a later epoch than the one above it; the times distinguish this case.
      [
        "I22",
        "block that was written under an older epoch than the one before it",
        sql`leader_epoch < epoch_before and scanned_at >= scanned_before`,
      ],
    ],
    from: sql`(
      select number, parent_id, leader_epoch, scanned_at, lag(number) over chain as number_before,
        lag(id) over chain as id_before, lag(leader_epoch) over chain as epoch_before,
        lag(scanned_at) over chain as scanned_before
      from blocks where ${ours} and number <= ${to} and number >= coalesce(
        (select max(number) from blocks where ${ours} and number < ${from}), ${from})
      window chain as (order by number)) block where number >= ${from}`,
  });
}

/** Violations of a network's cursor by its blocks and the lease. */
export function findCursorViolations(db: Queryable, network: string): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`number`,
    faults: [
      ["I3", "cursor that is not at the newest block", sql`(newest_id, newest_number) <> (block_id, number)`],
      ["I22", "cursor with an epoch that the lease never had", sql`leader_epoch > lease_epoch`],
    ],
    from: sql`(
      select position.*, newest.id as newest_id, newest.number as newest_number, lease.epoch as lease_epoch
      from scan_cursors position
      left join lateral (
        select id, number from blocks
        where network = position.network and orphaned_at is null order by number desc limit 1
      ) newest on true
      left join leases lease on lease.name = 'watcher:' || position.network
      where position.network = ${network}) standing`,
  });
}

/** The transfers that a range of our blocks counts, by bucket. */
export async function countTransfersOfBlocks(
  db: Queryable,
  { network, from, to }: BlockRange,
): Promise<BucketCount[]> {
  return parseChecksums(
    await db.query(sql`
      select number / ${BUCKET_BLOCKS} as bucket, sum(transfer_count)::bigint as transfers,
        sum(transfer_count * hashtextextended(id, 0)::numeric) as checksum
      from blocks
      where network = ${network} and orphaned_at is null and number between ${from} and ${to} and transfer_count > 0
      group by 1`),
  );
}

/** The blocks of our chain in these buckets with transfers to us, and their number. */
export async function listTransfersOfBlocks(
  db: Queryable,
  { network, buckets }: { network: string; buckets: readonly bigint[] },
): Promise<{ id: string; number: bigint; transfers: bigint }[]> {
  return db.query(sql`
    select id, number, transfer_count::bigint as transfers from blocks
    where network = ${network} and orphaned_at is null and transfer_count > 0
      and number / ${BUCKET_BLOCKS} = any(${buckets}::bigint[])`);
}

/** `numeric` arrives as text. */
export function parseChecksums(
  rows: readonly { bucket: bigint; transfers: bigint; checksum: string }[],
): BucketCount[] {
  return rows.map((row) => ({ ...row, checksum: BigInt(row.checksum) }));
}
