import type { ChargeId, MerchantId, SweepId } from "@daric/domain/ids";
import { type Amount, amountIn } from "@daric/domain/money";
import { type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** A transaction from one of our addresses, or a top-up of it, in a verified block. The ledger lacks its cost. */
export type UnbookedTransaction = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly isTopUp: boolean;
  /** the sun that a top-up brought */
  readonly brought: Amount<"TRX">;
  /** the most that its fees took */
  readonly maxBurnt: Amount<"TRX">;
  readonly sweepId: SweepId | null;
};

export async function listUnbooked(
  db: Queryable,
  { network, upTo, limit }: { network: string; upTo: number; limit: number },
): Promise<UnbookedTransaction[]> {
  const rows = await db.query<
    Omit<UnbookedTransaction, "brought" | "maxBurnt"> & Record<"brought" | "maxBurnt", string>
  >(
    globally(
      "unbooked-costs",
      sql`
        select own.merchant_id as "merchantId", own.deposit_address_id as "chargeId", own.tx_id as "txId", own.is_top_up as "isTopUp",
          own.returned::text as brought, own.most_burnt::text as "maxBurnt",
          (select t.sweep_id from sweep_transactions t where t.merchant_id = own.merchant_id and t.tx_id = own.tx_id) as "sweepId"
        from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null
        where own.network = ${network} and own.block_number <= ${upTo} and not own.is_booked
        order by own.block_number limit ${limit}`,
    ),
  );
  return rows.map((row) => ({
    ...row,
    brought: amountIn("TRX", BigInt(row.brought)),
    maxBurnt: amountIn("TRX", BigInt(row.maxBurnt)),
  }));
}

/** A delegation that has landed, or its return, sent by the stake account. The ledger lacks its cost. */
export type UnbookedLoan = Pick<UnbookedTransaction, "merchantId" | "chargeId" | "txId" | "sweepId">;

export async function listUnbookedLoans(db: Queryable, limit: number): Promise<UnbookedLoan[]> {
  return db.query<UnbookedLoan>(
    globally(
      "unbooked-loans",
      sql`
        select merchant_id as "merchantId", deposit_address_id as "chargeId", tx_id as "txId", sweep_id as "sweepId"
        from sweep_transactions
        where purpose in ('delegate', 'undelegate') and outcome = 'landed' and fee_units is null
        order by id limit ${limit}`,
    ),
  );
}

/** Stores the cost of a delegation; false if it was stored before. */
export async function markLoanBooked(
  tx: Transaction,
  { merchantId, txId }: UnbookedLoan,
  fee: Amount<"TRX">,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update sweep_transactions set fee_units = ${fee}
    where merchant_id = ${merchantId} and tx_id = ${txId} and fee_units is null returning tx_id`);
  return rows.length > 0;
}

/** Marks the cost as booked, and stores it with the sweep's transaction; false if it was marked before. */
export async function markBooked(
  tx: Transaction,
  {
    network,
    merchantId,
    txId,
    fee,
  }: { network: string; merchantId: MerchantId; txId: string; fee: Amount<"TRX"> },
): Promise<boolean> {
  const rows = await tx.query(sql`
    with own as (
      update own_transactions set is_booked = true, fee_units = ${fee}
      where merchant_id = ${merchantId} and network = ${network} and tx_id = ${txId} and not is_booked returning tx_id
    ), kept as (
      update sweep_transactions set fee_units = ${fee} where merchant_id = ${merchantId} and tx_id = ${txId}
    )
    select tx_id from own`);
  return rows.length > 0;
}

/** The sun that is left of top-ups on an address. Locks its row until the transaction ends. */
export async function lockGasContent(
  tx: Transaction,
  { merchantId, chargeId }: { merchantId: MerchantId; chargeId: ChargeId },
): Promise<Amount<"TRX">> {
  const rows = await tx.query<{ gas: string }>(sql`
    select gas_units::text as gas from address_contents
    where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and currency = 'TRX' for update`);
  return amountIn("TRX", BigInt(rows[0]?.gas ?? "0"));
}
