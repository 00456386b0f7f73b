import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { unconfirmedDepositStatuses } from "../domain/deposit.ts";
import type { DepositId } from "../domain/ids.ts";
import { moveAll } from "./status-store.ts";
import type { ChangedDeposit, Scope } from "./store.ts";

/** A block of ours that is to be compared with what nodes show of it. */
export type UncomparedBlock = {
  readonly number: number;
  readonly blockId: string;
  /** whether it is proven to have no transaction: of one that an operator accepted nothing is */
  readonly isEmpty: boolean;
};

/** The next blocks of ours to be compared, up to one. */
export async function findUncompared(
  db: Queryable,
  { network, to, limit }: { network: string; to: number; limit: number },
): Promise<UncomparedBlock[]> {
  const rows = await db.query<Omit<UncomparedBlock, "number"> & { number: bigint }>(sql`
    select number, id as "blockId", transaction_count = 0 and not exists (
        select from accepted_blocks a
        where a.network = ${network} and blocks.number between a.block_number and a.until_number
      ) as "isEmpty"
    from blocks
    where network = ${network} and orphaned_at is null and number <= ${to}
      and number > (select compared_number from scan_cursors where network = ${network})
    order by number limit ${limit}`);
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** Up to which block was compared; undefined where no quorum is asked for. */
export async function findCompared(db: Queryable, network: string): Promise<number | undefined> {
  const row = maybeOne(
    await db.query<{ number: bigint | null }>(
      sql`select compared_number as number from scan_cursors where network = ${network}`,
    ),
  );
  const number = row?.number ?? undefined;
  return number === undefined ? undefined : Number(number);
}

/** Blocks are compared from now on, the first above the solid one; or none is, and what is read meanwhile never will be. */
export async function setComparing(
  db: Queryable,
  { network, isComparing }: { network: string; isComparing: boolean },
): Promise<void> {
  await db.query(sql`
    update scan_cursors set compared_number = case when ${isComparing} then solid_number end
    where network = ${network} and (compared_number is null) = ${isComparing}`);
}

/** All blocks up to this one are compared. */
export async function saveCompared(
  db: Queryable,
  { network, number }: { network: string; number: number },
): Promise<void> {
  await db.query(sql`update scan_cursors set compared_number = ${number} where network = ${network}`);
}

/** Takes unconfirmed deposits of a block out of the chain, which does not have them as they are stored. */
export async function withdrawDeposits(
  tx: Transaction,
  scope: Scope,
  { number, ids }: { number: number; ids: readonly DepositId[] },
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, {
    event: "orphaned",
    statuses: unconfirmedDepositStatuses,
    from: number,
    to: number,
    condition: sql`d.id = any(${ids}::uuid[])`,
  });
}
