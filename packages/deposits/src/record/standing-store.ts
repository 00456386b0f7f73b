import type { DepositId } from "@daric/domain/ids";
import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import type { ReadBlock } from "../block-store.ts";
import { type ObservedTransfer, observedTransferRows } from "../store.ts";

/** Which of these deposits (of at most 200 merchants) are in this block, or were rejected by an operator, so that none returns. */
export async function findInBlock(
  db: Queryable,
  { observed, block }: { observed: readonly ObservedTransfer[]; block: ReadBlock },
): Promise<{ id: DepositId; isRejected: boolean }[]> {
  return db.query(sql`
    select seen.id, known.is_rejected as "isRejected" from (${observedTransferRows(observed)}) seen
    cross join lateral (
      select d.block_id, d.failure_reason is not distinct from 'rejected' as is_rejected from deposits d
      where ${joinedOf(
        sql`d.merchant_id`,
        observed.map(({ merchantId }) => merchantId),
      )} and d.merchant_id = seen.merchant_id and d.id = seen.id
      offset 0
    ) known
    where known.block_id = ${block.blockId} or known.is_rejected`);
}
