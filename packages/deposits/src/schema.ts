import { currencies } from "@daric/domain/asset";
import { type BookValue, formatBookAmount } from "@daric/domain/book-value";
import { chargeKinds, chargeStatuses } from "@daric/domain/charge";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import { currentConfirmations, depositStatuses, stuckReasons, transferSources } from "@daric/domain/deposit";
import { type FiatCurrency, fiatCurrencies } from "@daric/domain/fiat";
import { lookupRule, MAX_LOOKUP_CHARS, readNamedTransaction } from "@daric/domain/lookup";
import { formatAmount, formatAmountOrNull, formatPrice } from "@daric/domain/money";
import { amountRequested, orderPaymentStatuses, paymentState, paymentStates } from "@daric/domain/order";
import { moment } from "@daric/http/moment";
import { listQueryOf, pageQuery } from "@daric/http/pagination";
import { amountText, text, timestamp, uuid } from "@daric/http/validate";
import { z } from "zod";
import type { DepositOfCharge } from "./look-up-transaction.ts";
import type { ValuedDeposit } from "./value-deposits.ts";

const MAX_ORDER_REF = 120;

const txHash = z
  .string()
  .transform((text, issue) => {
    const transaction = readNamedTransaction(text);
    if (typeof transaction === "object") return transaction.txId;
    issue.addIssue({ code: "custom", message: lookupRule });
    return z.NEVER;
  })
  .meta({
    maxLength: MAX_LOOKUP_CHARS,
    description:
      "The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that holds it.",
  });

/** `from` (inclusive) and `to` (exclusive) limit `created_at`. */
export const depositQuery = listQueryOf("deposit").extend({
  status: z.enum(depositStatuses).optional(),
  currency: z.enum(currencies).optional(),
  depositAddressId: uuid("charge").optional(),
  orderRef: text(MAX_ORDER_REF).optional(),
  paymentLinkId: uuid("paymentLink").optional(),
  payerRef: text(MAX_ORDER_REF).optional(),
  txHash: txHash.optional(),
  from: moment.optional(),
  to: moment.optional(),
});

const tronAddress = z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" });
const hash = z.string().meta({ pattern: "^[0-9a-f]{64}$" });

const bookFields = {
  book_currency: z.enum(fiatCurrencies as [FiatCurrency, ...FiatCurrency[]]).nullable(),
  book_amount: amountText.nullable(),
  book_rate: z.string().nullable(),
  book_rate_sources: z.string().nullable(),
  book_rate_at: timestamp.nullable(),
};

export const depositRow = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    deposit_address_id: z.string().meta({ format: "uuid" }),
    address: tronAddress,
    chain: z.literal("tron"),
    currency: z.enum(currencies),
    amount: amountText,
    status: z.enum(depositStatuses),
    source: z.enum(transferSources),
    tx_hash: hash,
    event_index: z.int().min(0),
    from_address: tronAddress.nullable(),
    block_number: z.int().min(0),
    block_hash: hash,
    block_time: timestamp,
    confirmations: z.int().min(0),
    required_confirmations: z.int().min(0),
    order_ref: z.string().nullable(),
    late: z.boolean(),
    unmatched: z.boolean(),
    stuck_reason: z.enum(stuckReasons).nullable(),
    failure_reason: z.string().nullable(),
    detected_at: timestamp,
    confirmed_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    ...bookFields,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Deposit", description: "One on-chain transfer to one of the merchant's addresses." });

/** The value in the merchant's books; all null until it is known. */
function toBookFields(value: BookValue | undefined): z.input<z.ZodObject<typeof bookFields>> {
  return {
    book_currency: value?.currency ?? null,
    book_amount: value === undefined ? null : formatBookAmount(value),
    book_rate: value === undefined ? null : formatPrice(value.rateE8),
    book_rate_sources: value?.sources ?? null,
    book_rate_at: value?.at.toISOString() ?? null,
  };
}

export function toDepositRow(deposit: ValuedDeposit): z.input<typeof depositRow> {
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
    ...toBookFields(deposit.value),
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
  };
}

export const lookupQuery = pageQuery.extend({ txHash });

const paidCharge = z
  .object({
    id: z.string().meta({ format: "uuid", description: "The id to retrieve the deposit address by." }),
    kind: z
      .enum(chargeKinds)
      .meta({ description: "The kind of the address: an order, an open or a receive address." }),
    status: z.enum(chargeStatuses).meta({ description: "Where the deposit address stands now." }),
    payment_status: z.enum(orderPaymentStatuses).nullable().meta({ description: "Of an order; else null." }),
    payment_state: z
      .enum(paymentStates)
      .meta({ description: "All confirmed money of the address relative to the amount due." }),
    amount_due: amountText.nullable(),
    amount_received: amountText,
    currency: z.enum(currencies).meta({ description: "The currency that it is to be paid in." }),
    order_ref: z.string().nullable().meta({ description: "The merchant's own reference of the order." }),
    customer_ref: z.string().nullable().meta({ description: "The customer of a receive address." }),
    rest_of: z
      .string()
      .nullable()
      .meta({ format: "uuid", description: "Of a rest: the first order, which it completes." }),
    expires_at: timestamp.nullable(),
  })
  .meta({
    id: "PaidDepositAddress",
    description: "The address that a deposit was sent to, in its current state.",
  });

export const lookupRow = z
  .object({
    kind: z
      .literal("deposit")
      .meta({ description: "The effect of the transaction on the merchant: it paid one of its addresses." }),
    deposit: depositRow,
    deposit_address: paidCharge,
  })
  .meta({ id: "LookupRow", description: "One deposit that a transaction made, and what became of it." });

export function toLookupRow({ deposit, charge }: DepositOfCharge): z.input<typeof lookupRow> {
  return {
    kind: "deposit",
    deposit: toDepositRow(deposit),
    deposit_address: {
      id: charge.id,
      kind: charge.kind,
      status: charge.status,
      payment_status: charge.kind === "order" ? orderPaymentStatus(charge) : null,
      payment_state: paymentState(charge.terms, charge.confirmed.total),
      amount_due: formatAmountOrNull(amountRequested(charge.terms.due)),
      amount_received: formatAmount(charge.received.total),
      currency: charge.currency,
      order_ref: charge.orderRef,
      customer_ref: charge.customerRef,
      rest_of: charge.restOf,
      expires_at: charge.expiresAt?.toISOString() ?? null,
    },
  };
}
