import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** The number of blocks with contract calls since the last one with an internal transaction. */
export async function countBlocksWithoutInternals(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ blocks: bigint }>(
      sql`select blocks_without_internals as blocks from scan_cursors where network = ${network}`,
    ),
  );
  return Number(row?.blocks ?? 0n);
}
