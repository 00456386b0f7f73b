import { type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { ChargeId, MerchantId, SweepId, SweepTransactionId } from "../domain/ids.ts";
import type { VerifiedTip } from "./context.ts";
import type { OpenSweep, SweepPurpose } from "./sweep-store.ts";

/** A transaction for one deposit address that the signer is to sign. */
export type NewRequest = {
  readonly id: SweepTransactionId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  /** null for the return of energy that belongs to no sweep */
  readonly sweepId: SweepId | null;
  readonly purpose: SweepPurpose;
  /** for a sweep: the currency, and the entry of the signer's list that receives it */
  readonly sweep: Pick<OpenSweep, "currency" | "recipient" | "destination"> | undefined;
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
  const { id, merchantId, chargeId, sweepId, purpose, sweep, units, feeLimit, block, expiresAt } = request;
  await tx.query(sql`
    with request as (
      insert into signing_requests (id, kind, merchant_id, derivation_index, address, checkout_token, address_mac, currency,
        recipient, destination, units, fee_limit, block_number, block_id, block_time, expires_at)
      select ${id}, ${purpose}, merchant_id, derivation_index, address, checkout_token, address_mac, ${sweep?.currency ?? null},
        ${sweep?.recipient ?? null}, ${sweep?.destination ?? null}, ${units}::bigint, ${feeLimit}::bigint,
        ${block.number}::bigint, ${block.blockId}, ${block.time}::timestamptz, ${expiresAt}::timestamptz
      from deposit_addresses where merchant_id = ${merchantId} and id = ${chargeId}
      returning id
    )
    insert into sweep_transactions (merchant_id, id, sweep_id, deposit_address_id, purpose, expires_at)
    select ${merchantId}, id, ${sweepId}::uuid, ${chargeId}, ${purpose}, ${expiresAt}::timestamptz from request`);
}

/** The signer's own state; undefined before its first start. */
export type SignerState = {
  readonly seenAt: Date | null;
  /** by the database's clock */
  readonly ageSeconds: number | null;
  readonly state: {
    readonly version?: string;
    readonly network?: string;
    readonly gasAddress?: string;
    readonly stakeAddress?: string;
    readonly isPaused?: boolean;
  };
};

export async function findSignerState(db: Queryable): Promise<SignerState | undefined> {
  const rows = await db.query<SignerState>(sql`
    select seen_at as "seenAt", extract(epoch from now() - seen_at)::float8 as "ageSeconds", state from signer_state`);
  return rows[0];
}
