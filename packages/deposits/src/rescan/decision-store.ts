import type { DepositDecision, DepositStatus } from "@daric/domain/deposit";
import type { DepositId, MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

export type DecidedDeposit = {
  readonly id: DepositId;
  readonly merchantId: MerchantId;
  readonly status: DepositStatus;
  readonly decision: DepositDecision | null;
  readonly blockNumber: number;
};

export async function lockDeposit(
  tx: Transaction,
  { network, merchantId, id }: { network: string; merchantId: MerchantId; id: DepositId },
): Promise<DecidedDeposit | undefined> {
  const row = maybeOne(
    await tx.query<Omit<DecidedDeposit, "blockNumber"> & { blockNumber: bigint }>(sql`
      select d.id, d.merchant_id as "merchantId", d.status, d.decision, d.block_number as "blockNumber"
      from deposits d where d.merchant_id = ${merchantId} and d.id = ${id} and d.network = ${network} for update`),
  );
  return row && { ...row, blockNumber: Number(row.blockNumber) };
}

/** Writes the decision. */
export async function updateDecision(
  db: Queryable,
  { id, merchantId, verdict }: { id: DepositId; merchantId: MerchantId; verdict: DepositDecision },
): Promise<void> {
  await db.query(sql`
    update deposits set decision = ${verdict}, updated_at = now()
    where merchant_id = ${merchantId} and id = ${id}`);
}
