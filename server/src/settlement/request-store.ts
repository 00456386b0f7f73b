import { type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { ChargeId, MerchantId, SweepId, SweepTransactionId } from "../domain/ids.ts";
import type { VerifiedTip } from "./context.ts";
import type { OpenSweep, SweepPurpose } from "./sweep-store.ts";

/** A transaction that the signer is to sign, for one deposit address. */
export type NewRequest = {
  readonly id: SweepTransactionId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  /** null for what takes back a delegation that no sweep explains */
  readonly sweepId: SweepId | null;
  readonly purpose: SweepPurpose;
  /** of a sweep: what is sent, and to which entry of the signer's list */
  readonly sweep: Pick<OpenSweep, "currency" | "recipient" | "destination"> | undefined;
  /** of the currency; sun of a top-up; sun of stake */
  readonly units: bigint;
  readonly feeLimit: bigint;
  /** the reference block */
  readonly block: VerifiedTip;
  readonly expiresAt: Date;
};

/**
 * Asks the signer for a signature, and remembers the transaction before it has one. Whose the address is says the row of the
 * charge, with its MAC.
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

/** What the signer says of itself; undefined before it was started first. */
export type SignerState = {
  readonly seenAt: Date | null;
  /** by the clock of the database */
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
