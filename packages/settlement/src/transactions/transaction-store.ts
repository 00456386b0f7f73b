import type { Currency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SweepId, SweepTransactionId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { VerifiedTip } from "../context.ts";

export type TransactionPurpose = "sweep" | "top_up" | "delegate" | "undelegate";
export type TransactionEnd = "landed" | "failed" | "expired" | "refused";

/** A transaction that the signer signs, with the signer's answer and the watcher's findings. */
export type SettlementTransaction = {
  readonly id: SweepTransactionId;
  readonly purpose: TransactionPurpose;
  readonly expiresAt: Date;
  /** stored before a node gets the bytes */
  readonly txId: string | null;
  readonly bytes: Buffer | null;
  readonly sentAt: Date | null;
  readonly outcome: TransactionEnd | null;
  /** the signer's answer */
  readonly signedTxId: string | null;
  readonly signedBytes: Buffer | null;
  readonly refusal: string | null;
  /** the block of our chain that has it */
  readonly blockNumber: number | null;
  readonly blockId: string | null;
};

type Payment = {
  readonly currency: Currency;
  readonly recipient: SweepRecipient;
  readonly destination: string;
};

/** A transaction for one deposit address that the signer is to sign. */
export type NewRequest = {
  readonly id: SweepTransactionId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  /** null for the return of energy that belongs to no sweep */
  readonly sweepId: SweepId | null;
  readonly purpose: TransactionPurpose;
  /** for money that leaves: the currency, and the entry of the signer's list that receives it */
  readonly payment: Payment | undefined;
  /** in units of the currency; for a top-up and a delegation in sun */
  readonly units: bigint;
  readonly feeLimit: bigint;
  /** the reference block */
  readonly block: VerifiedTip;
  readonly expiresAt: Date;
};

/**
 * Requests a signature, and stores the transaction before it is signed. The charge's row, with its MAC, says which
 * merchant the address belongs to.
 */
export async function insertSigningRequest(tx: Transaction, request: NewRequest): Promise<void> {
  const { id, merchantId, chargeId, sweepId, purpose, payment, units, feeLimit, block, expiresAt } = request;
  await tx.query(sql`
    with request as (
      insert into signing_requests (id, kind, merchant_id, derivation_index, address, checkout_token, address_mac, currency,
        recipient, destination, units, fee_limit, block_number, block_id, block_time, expires_at)
      select ${id}, ${purpose}, merchant_id, derivation_index, address, checkout_token, address_mac, ${payment?.currency ?? null},
        ${payment?.recipient ?? null}, ${payment?.destination ?? null}, ${units}::bigint, ${feeLimit}::bigint,
        ${block.number}::bigint, ${block.blockId}, ${block.time}::timestamptz, ${expiresAt}::timestamptz
      from deposit_addresses where merchant_id = ${merchantId} and id = ${chargeId}
      returning id
    )
    insert into sweep_transactions (merchant_id, id, sweep_id, deposit_address_id, purpose, expires_at)
    select ${merchantId}, id, ${sweepId}::uuid, ${chargeId}, ${purpose}, ${expiresAt}::timestamptz from request`);
}

/** Stores the signer's answer before a node gets the bytes. */
export async function storeSigned(
  tx: Transaction,
  merchantId: MerchantId,
  { id, signedTxId, signedBytes }: Pick<SettlementTransaction, "id" | "signedTxId" | "signedBytes">,
): Promise<void> {
  await tx.query(sql`
    update sweep_transactions set tx_id = ${signedTxId}, bytes = ${signedBytes}
    where merchant_id = ${merchantId} and id = ${id} and tx_id is null`);
}

export async function markSent(db: Queryable, merchantId: MerchantId, id: SweepTransactionId): Promise<void> {
  await db.query(sql`
    update sweep_transactions set sent_at = now() where merchant_id = ${merchantId} and id = ${id}`);
}

type EndedTransaction = {
  readonly merchantId: MerchantId;
  readonly transaction: Pick<SettlementTransaction, "id" | "blockNumber" | "blockId">;
};

/** Stores the final outcome of a transaction. */
export async function endTransaction(
  tx: Transaction,
  { merchantId, transaction: { id, blockNumber, blockId } }: EndedTransaction,
  outcome: TransactionEnd,
): Promise<void> {
  const isIncluded = outcome === "landed" || outcome === "failed";
  await tx.query(sql`
    update sweep_transactions set outcome = ${outcome}, is_successful = ${outcome === "landed"},
      block_number = ${isIncluded ? blockNumber : null}, block_id = ${isIncluded ? blockId : null}
    where merchant_id = ${merchantId} and id = ${id}`);
}
