import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** How many blocks with contract calls were read since one showed an internal transaction; 0 before anything was read. */
export async function countBlocksWithoutInternals(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ blocks: bigint }>(
      sql`select blocks_without_internals as blocks from scan_cursors where network = ${network}`,
    ),
  );
  return Number(row?.blocks ?? 0n);
}
