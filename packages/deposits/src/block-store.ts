import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

export type ReadBlock = { readonly number: number; readonly blockId: string; readonly time: Date };

/** The last block that was read, and the height of the newest solid one. */
export type Cursor = ReadBlock & { readonly solidNumber: number };

/** Another process has moved the cursor. Nothing is written. */
export class CursorMovedError extends Error {
  override readonly name = "CursorMovedError";
}

export async function findCursor(db: Queryable, network: string): Promise<Cursor | undefined> {
  const row = maybeOne(
    await db.query<{ number: bigint; block_id: string; time: Date; solid_number: bigint }>(sql`
      select number, block_id, time, solid_number from scan_cursors where network = ${network}`),
  );
  return (
    row && {
      number: Number(row.number),
      blockId: row.block_id,
      time: row.time,
      solidNumber: Number(row.solid_number),
    }
  );
}

export async function insertCursor(
  tx: Transaction,
  input: { network: string; cursor: Cursor; epoch: bigint },
): Promise<void> {
  const { cursor } = input;
  await tx.query(sql`
    insert into scan_cursors (network, number, block_id, time, solid_number, leader_epoch)
    values (${input.network}, ${cursor.number}, ${cursor.blockId}, ${cursor.time}, ${cursor.solidNumber},
      ${input.epoch})
    on conflict (network) do nothing`);
}

/** The contract calls of a block, and its internal transactions of any kind. */
export type Runs = { readonly contractCalls: number; readonly internals: number };

/** Moves the cursor by compare-and-swap, past the blocks in `runs`. @throws CursorMovedError if it stands elsewhere. */
export async function moveCursor(
  tx: Transaction,
  input: {
    network: string;
    from: Cursor;
    to: ReadBlock;
    epoch: bigint;
    runs?: readonly Runs[];
  },
): Promise<void> {
  const runs = input.runs ?? [];
  const shown = runs.findLastIndex(({ internals }) => internals > 0);
  const without = runs.slice(shown + 1).filter(({ contractCalls }) => contractCalls > 0).length;
  const moved = await tx.query(sql`
    update scan_cursors
    set number = ${input.to.number}, block_id = ${input.to.blockId}, time = ${input.to.time},
      blocks_without_internals = case when ${shown >= 0} then 0 else blocks_without_internals end + ${without}::integer,
      leader_epoch = ${input.epoch}, updated_at = now()
    where network = ${input.network} and block_id = ${input.from.blockId} and number = ${input.from.number}
    returning number`);
  if (moved.length === 0) throw new CursorMovedError(`the cursor left block ${input.from.number}`);
}

/** How many blocks with contract calls were read since one showed an internal transaction; 0 before anything was read. */
export async function countBlocksWithoutInternals(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ blocks: bigint }>(
      sql`select blocks_without_internals as blocks from scan_cursors where network = ${network}`,
    ),
  );
  return Number(row?.blocks ?? 0n);
}

/** Records a solid block. The height only grows. */
export async function raiseSolid(
  tx: Transaction,
  input: { network: string; solid: ReadBlock },
): Promise<void> {
  const { number } = input.solid;
  await tx.query(sql`
    update scan_cursors set solid_number = ${number}, updated_at = now()
    where network = ${input.network} and solid_number < ${number}`);
}

/** Lowers the solid height after an operator resumed a halted scan. */
export async function lowerSolid(tx: Transaction, input: { network: string; number: number }): Promise<void> {
  await tx.query(sql`
    update scan_cursors set solid_number = ${input.number}, updated_at = now()
    where network = ${input.network} and solid_number > ${input.number}`);
}

export async function findFirstNumber(db: Queryable, network: string): Promise<number | undefined> {
  const row = maybeOne(
    await db.query<{ number: bigint }>(sql`
      select number from blocks where network = ${network} and orphaned_at is null order by number limit 1`),
  );
  return row && Number(row.number);
}

export type ScannedBlock = {
  readonly id: string;
  readonly number: number;
  readonly parentId: string;
  readonly time: Date;
  readonly witnessHex: string;
  readonly transactionCount: number;
  readonly transferCount: number;
  /** see `infosDigestOf`; undefined if no transaction ran a contract */
  readonly infosDigest: string | undefined;
  readonly sourceNode: string | undefined;
};

/** Inserts blocks into our chain in one statement. An orphaned block returns, with the transfers read now. */
export async function insertBlocks(
  tx: Transaction,
  { network, blocks, epoch }: { network: string; blocks: readonly ScannedBlock[]; epoch: bigint },
): Promise<void> {
  await tx.query(sql`
    insert into blocks (id, network, number, parent_id, time, witness, transaction_count, transfer_count,
      infos_digest, source_node, leader_epoch)
    select id, ${network}, number, parent_id, time, witness, transaction_count, transfer_count, infos_digest,
      source_node, ${epoch}
    from unnest(
      ${blocks.map(({ id }) => id)}::text[], ${blocks.map(({ number }) => number)}::bigint[],
      ${blocks.map(({ parentId }) => parentId)}::text[], ${blocks.map(({ time }) => time)}::timestamptz[],
      ${blocks.map(({ witnessHex }) => witnessHex)}::text[],
      ${blocks.map(({ transactionCount }) => transactionCount)}::integer[],
      ${blocks.map(({ transferCount }) => transferCount)}::integer[],
      ${blocks.map(({ infosDigest }) => infosDigest ?? null)}::text[],
      ${blocks.map(({ sourceNode }) => sourceNode ?? null)}::text[]
    ) as read (id, number, parent_id, time, witness, transaction_count, transfer_count, infos_digest, source_node)
    on conflict (id) do update
    set orphaned_at = null, transfer_count = excluded.transfer_count,
      infos_digest = excluded.infos_digest, source_node = excluded.source_node,
      leader_epoch = excluded.leader_epoch, scanned_at = excluded.scanned_at`);
}

export async function insertBlock(
  tx: Transaction,
  { block, ...chain }: { network: string; block: ScannedBlock; epoch: bigint },
): Promise<void> {
  await insertBlocks(tx, { ...chain, blocks: [block] });
}

export async function findBlock(
  db: Queryable,
  input: { network: string; number: number },
): Promise<ReadBlock | undefined> {
  const row = maybeOne(
    await db.query<{ id: string; time: Date }>(sql`
      select id, time from blocks
      where network = ${input.network} and number = ${input.number} and orphaned_at is null`),
  );
  return row && { number: input.number, blockId: row.id, time: row.time };
}

/** The id of our block at a height. The id below our first block comes from that block's `parent_id`. */
export async function findBlockId(
  db: Queryable,
  input: { network: string; number: number },
): Promise<string | undefined> {
  const { network, number } = input;
  const row = maybeOne(
    await db.query<{ id: string | null }>(sql`
      select coalesce(
        (select id from blocks where network = ${network} and number = ${number} and orphaned_at is null),
        (select parent_id from blocks where network = ${network} and number = ${number + 1} and orphaned_at is null)
      ) as id`),
  );
  return row?.id ?? undefined;
}

/** The number of each witness's last block in a range of our chain. */
export async function readLastBlocks(
  db: Queryable,
  { network, above, to }: { readonly network: string; readonly above: number; readonly to: number },
): Promise<readonly number[]> {
  const rows = await db.query<{ number: bigint }>(sql`
    select max(number) as number from blocks
    where network = ${network} and number > ${above} and number <= ${to} and orphaned_at is null and witness is not null
    group by witness`);
  return rows.map(({ number }) => Number(number));
}

/** Marks every block above a height as orphaned, and returns their number. */
export async function orphanBlocksAbove(
  tx: Transaction,
  input: { network: string; number: number },
): Promise<number> {
  const rows = await tx.query(sql`
    update blocks set orphaned_at = now()
    where network = ${input.network} and number > ${input.number} and orphaned_at is null
    returning id`);
  return rows.length;
}

/** Blocks that left our chain together, because the nodes went on along another one. */
export type Fork = {
  readonly at: Date;
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
};

/** So many blocks that left the chain are looked at. */
const FORKED_BLOCKS = 500;

/** The newest forks that the scan followed, the newest first. A block that came back counts no more. */
export async function listForks(
  db: Queryable,
  { network, limit }: { network: string; limit: number },
): Promise<Fork[]> {
  const rows = await db.query<{ at: Date; from: bigint; to: bigint; blocks: bigint }>(sql`
    select orphaned_at as at, min(number) as "from", max(number) as "to", count(*) as blocks
    from (
      select number, orphaned_at from blocks
      where network = ${network} and orphaned_at is not null order by orphaned_at desc limit ${FORKED_BLOCKS}
    ) newest
    group by orphaned_at order by orphaned_at desc limit ${limit}`);
  return rows.map(({ at, from, to, blocks }) => ({
    at,
    from: Number(from),
    to: Number(to),
    blocks: Number(blocks),
  }));
}

export async function addTransfers(
  tx: Transaction,
  { blockId, count }: { blockId: string; count: number },
): Promise<void> {
  if (count === 0) return;
  await tx.query(sql`update blocks set transfer_count = transfer_count + ${count} where id = ${blockId}`);
}
