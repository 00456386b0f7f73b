import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { VerifiedTip } from "./context.ts";

/**
 * The newest block that the watcher has verified, and the number of the newest one that it has read. Undefined before
 * its first block.
 */
export async function findVerifiedBlock(
  db: Queryable,
  network: string,
): Promise<(VerifiedTip & { readonly scanned: number }) | undefined> {
  const row = maybeOne(
    await db.query<{ number: bigint; blockId: string; time: Date; scanned: bigint }>(sql`
      select b.number, b.id as "blockId", b.time, position.number as scanned
      from scan_cursors position
      join blocks b on b.network = position.network and b.number = position.solid_number and b.orphaned_at is null
      where position.network = ${network}`),
  );
  return row && { ...row, number: Number(row.number), scanned: Number(row.scanned) };
}
