import { currencies } from "@daric/domain/asset";
import { chargeKinds, chargeStatuses } from "@daric/domain/charge";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import { type Amount, formatAmount, formatAmountOrNull } from "@daric/domain/money";
import {
  amountRequested,
  dueOf,
  feeModes,
  isPaidLate,
  orderPaymentStatuses,
  paymentState,
  paymentStates,
} from "@daric/domain/order";
import { amountText, fiatCode, rateText, sentAmountText, timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { Charge, NewCharge } from "../../charge.ts";
import { customerEmailSources, openCustomerEmail } from "../../customer-email.ts";
import { openPayer } from "../../payer.ts";

const createdFields = {
  id: z.string().meta({ format: "uuid" }),
  address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }),
  chain: z.literal("tron"),
  currency: z.enum(currencies),
  status: z.enum(chargeStatuses),
  expires_at: timestamp.nullable(),
  fee_mode: z.enum(feeModes),
  expected_amount: amountText.nullable(),
  pay_amount: amountText.nullable(),
  fiat_currency: fiatCode.nullable(),
  fiat_amount: sentAmountText.nullable(),
  quote_rate: rateText.nullable(),
  quote_source: z.string().nullable(),
  quote_expires_at: timestamp.nullable(),
  order_ref: z.string().nullable(),
  success_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
  checkout_token: z.string(),
  checkout_url: z.string().nullable(),
  amount_due: amountText.nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  customer_ref: z.string().nullable(),
};

/** A charge as create returns it: the fields of the contract, then the additions. */
export const createdCharge = z
  .object(createdFields)
  .meta({ id: "CreatedDepositAddress", description: "A deposit address as it was made." });

/** A charge in list and retrieve. */
export const chargeRow = z
  .object({
    ...createdFields,
    address: z.string().meta({ pattern: "^(T[1-9A-HJ-NP-Za-km-z]{33})?$" }),
    kind: z.enum(chargeKinds),
    payment_status: z.enum(orderPaymentStatuses).optional(),
    amount_received: amountText,
    amount_pending: amountText,
    payment_state: z.enum(paymentStates),
    paid_late: z.boolean(),
    refunded_amount: amountText,
    label: z.string().nullable(),
    rest_of: z.string().meta({ format: "uuid" }).nullable(),
    payment_link_id: z.string().meta({ format: "uuid" }).nullable(),
    payer_ref: z.string().nullable(),
    payer: z
      .object({
        name: z.string().nullable().meta({ description: "The name that the payer typed; null without one." }),
        note: z.string().nullable().meta({ description: "The note that the payer typed; null without one." }),
      })
      .nullable()
      .meta({
        description:
          "The texts that the payer typed at the payment link; null without any. They prove nothing.",
      }),
    customer_email: z.string().nullable(),
    customer_email_source: z.enum(customerEmailSources).nullable(),
    customer_email_later: z.string().nullable(),
    settlement_account_id: z.string().meta({ format: "uuid" }).nullable(),
    accepted_at: timestamp.nullable(),
    accept_reason: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "DepositAddress", description: "An order, an open address or a standing receive address." });

/** The payer's page; null without a public base URL. */
export function checkoutUrl(publicBaseUrl: string | undefined, token: string): string | null {
  return publicBaseUrl === undefined ? null : `${publicBaseUrl}/c/${token}`;
}

export function toCreatedCharge(
  charge: NewCharge,
  publicBaseUrl: string | undefined,
): z.input<typeof createdCharge> {
  return {
    id: charge.id,
    address: charge.address,
    chain: charge.chain,
    currency: charge.currency,
    status: charge.status,
    expires_at: charge.expiresAt?.toISOString() ?? null,
    fee_mode: charge.feeMode,
    expected_amount: formatAmountOrNull(charge.expectedAmount),
    pay_amount: formatAmountOrNull(charge.payAmount),
    fiat_currency: charge.fiatCurrency,
    fiat_amount: charge.fiatAmount,
    quote_rate: charge.quote?.rate ?? null,
    quote_source: charge.quote?.source ?? null,
    quote_expires_at: charge.quote?.expiresAt.toISOString() ?? null,
    order_ref: charge.orderRef,
    success_url: charge.successUrl,
    cancel_url: charge.cancelUrl,
    checkout_token: charge.checkoutToken,
    checkout_url: checkoutUrl(publicBaseUrl, charge.checkoutToken),
    amount_due: formatAmountOrNull(amountRequested(dueOf(charge))),
    metadata: charge.metadata,
    customer_ref: charge.customerRef,
  };
}

type RowOptions = {
  /** what the chain moved for completed refunds of the charge, in its coin */
  readonly refunded: Amount;
  readonly publicBaseUrl: string | undefined;
  readonly withPaymentStatus: boolean;
  readonly masterKeys: readonly Buffer[];
};

/** The row; with `payment_status` only on request and for orders. */
export function toChargeRow(
  charge: Charge,
  { refunded, publicBaseUrl, withPaymentStatus, masterKeys }: RowOptions,
): z.input<typeof chargeRow> {
  const { sealedCustomerEmail: sealed } = charge;
  const customer = sealed && openCustomerEmail(masterKeys, charge, sealed);
  return {
    kind: charge.kind,
    payment_status: withPaymentStatus && charge.kind === "order" ? orderPaymentStatus(charge) : undefined,
    amount_received: formatAmount(charge.received.total),
    amount_pending: formatAmount(charge.received.pending),
    payment_state: paymentState(charge.terms, charge.confirmed.total),
    paid_late: isPaidLate(charge.terms, charge.confirmed),
    refunded_amount: formatAmount(refunded),
    label: charge.label,
    rest_of: charge.restOf,
    payment_link_id: charge.paymentLinkId,
    payer_ref: charge.payerRef,
    payer: charge.sealedPayer && openPayer(masterKeys, charge, charge.sealedPayer),
    customer_email: customer?.email ?? null,
    customer_email_source: customer?.source ?? null,
    customer_email_later: customer?.later ?? null,
    settlement_account_id: charge.settlementAccountId,
    accepted_at: charge.acceptedAt?.toISOString() ?? null,
    accept_reason: charge.acceptReason,
    created_at: charge.createdAt.toISOString(),
    updated_at: charge.updatedAt.toISOString(),
    // Last, because fields after a spread cost more than the rest of the row.
    ...toCreatedCharge(charge, publicBaseUrl),
  };
}
