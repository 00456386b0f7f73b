import type { MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** Whether a deposit of this merchant was read from this transaction. */
export async function isDeposited(
  db: Queryable,
  { merchantId, txId }: { merchantId: MerchantId; txId: string },
): Promise<boolean> {
  const row = maybeOne(
    await db.query<{ id: string }>(sql`
      select id from deposits where merchant_id = ${merchantId} and tx_id = ${txId} limit 1`),
  );
  return row !== undefined;
}
