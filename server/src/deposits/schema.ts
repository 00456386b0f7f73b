import { z } from "zod";
import { currentConfirmations, depositStatuses, transferSources } from "../domain/deposit.ts";
import { currencies, formatAmount } from "../domain/money.ts";
import { pageQuery } from "../http/pagination.ts";
import { text, timestamp, uuid } from "../http/validate.ts";
import type { ListedDeposit } from "./list-store.ts";

const MAX_ORDER_REF = 120;

const moment = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with an offset" })
  .transform((value) => new Date(value));

/** The query of the list of deposits; `from` (inclusive) and `to` (exclusive) bound `created_at`. */
export const depositQuery = pageQuery.extend({
  status: z.enum(depositStatuses).optional(),
  currency: z.enum(currencies).optional(),
  depositAddressId: uuid("charge").optional(),
  orderRef: text(MAX_ORDER_REF).optional(),
  txHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hex characters")
    .transform((hash) => hash.toLowerCase())
    .optional(),
  from: moment.optional(),
  to: moment.optional(),
});

/** A deposit as the API shows it. */
export const depositRow = z
  .object({
    id: z.string(),
    deposit_address_id: z.string(),
    address: z.string(),
    chain: z.literal("tron"),
    currency: z.enum(currencies),
    amount: z.string(),
    status: z.enum(depositStatuses),
    source: z.enum(transferSources),
    tx_hash: z.string(),
    event_index: z.int(),
    from_address: z.string().nullable(),
    block_number: z.int(),
    block_hash: z.string(),
    block_time: timestamp,
    confirmations: z.int(),
    required_confirmations: z.int(),
    order_ref: z.string().nullable(),
    late: z.boolean(),
    unmatched: z.boolean(),
    stuck_reason: z.string().nullable(),
    failure_reason: z.string().nullable(),
    detected_at: timestamp,
    confirmed_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Deposit", description: "One on-chain transfer to one of the merchant's addresses." });

/** The row of the API; `confirmations` grows with the chain and stays as it was once the deposit is final. */
export function toDepositRow(deposit: ListedDeposit): z.input<typeof depositRow> {
  return {
    id: deposit.id,
    deposit_address_id: deposit.chargeId,
    address: deposit.address,
    chain: "tron",
    currency: deposit.currency,
    amount: formatAmount(deposit.amount),
    status: deposit.status,
    source: deposit.source,
    tx_hash: deposit.txId,
    event_index: deposit.eventIndex,
    from_address: deposit.fromAddress,
    block_number: deposit.blockNumber,
    block_hash: deposit.blockId,
    block_time: deposit.blockTime.toISOString(),
    confirmations: currentConfirmations(deposit),
    required_confirmations: deposit.requiredConfirmations,
    order_ref: deposit.orderRef,
    late: deposit.late,
    unmatched: deposit.unmatched,
    stuck_reason: deposit.stuckReason,
    failure_reason: deposit.failureReason,
    detected_at: deposit.detectedAt.toISOString(),
    confirmed_at: deposit.confirmedAt?.toISOString() ?? null,
    failed_at: deposit.failedAt?.toISOString() ?? null,
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
  };
}
