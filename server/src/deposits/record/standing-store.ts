import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import type { DepositId } from "../../domain/ids.ts";
import type { ReadBlock } from "../block-store.ts";
import { type ObservedTransfer, observedTransferRows } from "../store.ts";

/** Which of these deposits (of at most 200 merchants) are in this block. */
export async function findInBlock(
  db: Queryable,
  { observed, block }: { observed: readonly ObservedTransfer[]; block: ReadBlock },
): Promise<DepositId[]> {
  const rows = await db.query<{ id: DepositId }>(sql`
    select seen.id from (${observedTransferRows(observed)}) seen
    cross join lateral (
      select d.block_id from deposits d
      where ${joinedOf(
        sql`d.merchant_id`,
        observed.map(({ merchantId }) => merchantId),
      )} and d.merchant_id = seen.merchant_id and d.id = seen.id
      offset 0
    ) known
    where known.block_id = ${block.blockId}`);
  return rows.map(({ id }) => id);
}
