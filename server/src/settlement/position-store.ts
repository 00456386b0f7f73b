import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { VerifiedBlock } from "./context.ts";

/** The newest block that the watcher has verified, and how far it has read. Undefined before its first block. */
export async function findVerifiedBlock(
  db: Queryable,
  network: string,
): Promise<(VerifiedBlock & { readonly scanned: number }) | undefined> {
  const row = maybeOne(
    await db.query<{ number: bigint; blockId: string; time: Date; scanned: bigint }>(sql`
      select b.number, b.id as "blockId", b.time, position.number as scanned
      from scan_cursors position
      join blocks b on b.network = position.network and b.number = position.solid_number and b.orphaned_at is null
      where position.network = ${network}`),
  );
  return row && { ...row, number: Number(row.number), scanned: Number(row.scanned) };
}

/** The xpubs that addresses were issued under; one for the life of a database. */
export async function listAccountXpubs(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ xpub: string }>(sql`select xpub from account_keys order by created_at`);
  return rows.map(({ xpub }) => xpub);
}
