import { createBody, fiatOf, tooFine } from "@daric/charges/api/schema";
import { currencies, DEFAULT_CURRENCY } from "@daric/domain/asset";
import { isInUnitsOf } from "@daric/domain/fiat";
import { ruled } from "@daric/domain/field-rule";
import { type Amount, formatAmount, formatAmountOrNull, parseAmount, zero } from "@daric/domain/money";
import { payerQuestions, paymentLinkStatus, paymentLinkStatuses } from "@daric/domain/payment-link";
import { moment } from "@daric/http/moment";
import { listQueryOf } from "@daric/http/pagination";
import { amountText, areValid, decimal, fiatCode, nullishText, text, timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { LinkChange, LinkTerms, PaymentLink } from "./payment-link.ts";

const MAX_TITLE = 120;
const MAX_WORDS = 500;
const MAX_PREFIX = 40;
const MAX_SUGGESTED = 4;
const MAX_PAYMENTS = 1_000_000;

/** A title is shown on the page and in lists: it needs a letter, and no line break. */
const title = text(MAX_TITLE)
  .refine(
    (value) => /[\p{L}\p{N}\p{S}\p{P}]/u.test(value),
    ruled("must have at least 1 character", "required"),
  )
  .refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
    ruled("must have no line breaks or control characters", "invalid"),
  );

const maxPayments = z.int().min(1).max(MAX_PAYMENTS).nullish().meta({
  description:
    "The number of orders that may be paid; null without a limit. An order of a limited link lives 15 minutes.",
});

const positive = decimal.refine((value) => parseAmount(value) !== zero, ruled("must be above 0", "invalid"));

const { currency, pricingCurrency, successUrl, cancelUrl, settlementAccountId, metadata } = createBody.shape;
const amounts = ["amount", "minAmount", "maxAmount", "suggestedAmounts", "pricingCurrency"] as const;

/** The body of create. `null` is the same as missing. */
export const newLinkBody = z
  .object({
    title,
    description: nullishText(MAX_WORDS),
    thanks: nullishText(MAX_WORDS).meta({ description: "Shown on the page of an order that is paid." }),
    amount: positive.nullish(),
    minAmount: positive.nullish().meta({ description: "The least amount, where the payer chooses it." }),
    maxAmount: positive.nullish().meta({ description: "The largest amount, where the payer chooses it." }),
    suggestedAmounts: z.array(positive).max(MAX_SUGGESTED).nullish(),
    currency,
    pricingCurrency,
    maxPayments,
    expiresAt: moment.nullish(),
    ask: z.array(z.enum(payerQuestions)).max(payerQuestions.length).nullish(),
    orderRefPrefix: nullishText(MAX_PREFIX).meta({
      description: "The beginning of each order's `order_ref`; 8 random characters follow.",
    }),
    successUrl,
    cancelUrl,
    settlementAccountId,
    metadata,
  })
  .superRefine((body, { addIssue }) => {
    for (const { path, ...fault } of faultsOfAmounts(body))
      addIssue({ code: "custom", path: [path], ...fault });
  })
  .refine(
    (body) =>
      body.pricingCurrency !== DEFAULT_CURRENCY || (body.currency ?? DEFAULT_CURRENCY) === DEFAULT_CURRENCY,
    {
      path: ["pricingCurrency"],
      message: `cannot be ${DEFAULT_CURRENCY} for a link in another coin`,
      when: areValid("pricingCurrency", "currency"),
    },
  )
  .meta({
    "x-examples": {
      fixed: { summary: "A fixed price", value: { title: "Ticket", amount: "25", maxPayments: 100 } },
      donation: {
        summary: "The payer chooses",
        value: { title: "Donation", minAmount: "1", suggestedAmounts: ["5", "10", "25"], ask: ["name"] },
      },
    },
  });

type AmountFields = {
  readonly amount?: string | null | undefined;
  readonly minAmount?: string | null | undefined;
  readonly maxAmount?: string | null | undefined;
  readonly suggestedAmounts?: readonly string[] | null | undefined;
  readonly pricingCurrency?: z.output<typeof pricingCurrency>;
};
type Fault = { readonly path: (typeof amounts)[number] } & ReturnType<typeof ruled>;

/** The faults between amounts: bounds that exclude each other or a suggestion, and decimals that the currency has not. */
function faultsOfAmounts(body: AmountFields): Fault[] {
  const { amount } = body;
  const currency = fiatOf(body.pricingCurrency);
  const [min, max] = [amountOf(body.minAmount), amountOf(body.maxAmount)];
  const suggested = (body.suggestedAmounts ?? []).map(amountOf);
  const faults: Fault[] = [];
  for (const path of ["minAmount", "maxAmount", "suggestedAmounts"] as const) {
    const given = path === "suggestedAmounts" ? suggested.length > 0 : amountOf(body[path]) !== null;
    if (given && (amount ?? null) !== null)
      faults.push({ path, ...ruled("cannot be given beside amount", "invalid") });
  }
  if (min !== null && max !== null && min > max)
    faults.push({ path: "maxAmount", ...ruled("must not be below minAmount", "bounds") });
  if (suggested.some((value) => isOutside(value, { min, max })))
    faults.push({
      path: "suggestedAmounts",
      ...ruled("must lie between minAmount and maxAmount", "withinBounds"),
    });
  if (currency === null) return faults;
  const isTooFine = (value: Amount | null) => value !== null && !isInUnitsOf(currency, value);
  for (const path of ["amount", "minAmount", "maxAmount"] as const)
    if (isTooFine(amountOf(body[path]))) faults.push({ path, ...tooFine(currency) });
  if (suggested.some(isTooFine)) faults.push({ path: "suggestedAmounts", ...tooFine(currency) });
  return faults;
}

function isOutside(value: Amount | null, { min, max }: Record<"min" | "max", Amount | null>): boolean {
  return value !== null && ((min !== null && value < min) || (max !== null && value > max));
}

/** Null also for a text that is no amount: its own rule names that. */
function amountOf(decimalText: string | null | undefined): Amount | null {
  return (decimalText && parseAmount(decimalText)) || null;
}

export function toLinkTerms(body: z.output<typeof newLinkBody>): LinkTerms {
  return {
    title: body.title,
    description: body.description,
    thanks: body.thanks,
    amount: amountOf(body.amount),
    minAmount: amountOf(body.minAmount),
    maxAmount: amountOf(body.maxAmount),
    suggestedAmounts: (body.suggestedAmounts ?? []).flatMap((value) => amountOf(value) ?? []),
    currency: body.currency ?? DEFAULT_CURRENCY,
    pricingCurrency: fiatOf(body.pricingCurrency),
    maxPayments: body.maxPayments ?? null,
    expiresAt: body.expiresAt ?? null,
    ask: payerQuestions.filter((question) => body.ask?.includes(question)),
    orderRefPrefix: body.orderRefPrefix,
    successUrl: body.successUrl,
    cancelUrl: body.cancelUrl,
    settlementAccountId: body.settlementAccountId ?? null,
    metadata: body.metadata ?? null,
  };
}

/** The body of a change: a missing field stays, and `null` empties one. */
export const linkChangeBody = z
  .object({
    title: title.optional(),
    description: text(MAX_WORDS).nullable().optional(),
    isActive: z.boolean().optional().meta({ description: "False pauses the link: it takes no new orders." }),
    maxPayments: maxPayments,
    expiresAt: moment.nullable().optional(),
  })
  .meta({ "x-examples": { pause: { summary: "Pause", value: { isActive: false } } } });

export function toLinkChange(body: z.output<typeof linkChangeBody>): LinkChange {
  return body;
}

export const linkQuery = listQueryOf("paymentLink").extend({
  status: z.enum(paymentLinkStatuses).optional(),
});

export const paymentLinkRow = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    token: z.string(),
    url: z.string().nullable(),
    title: z.string(),
    description: z.string().nullable(),
    amount: amountText.nullable(),
    min_amount: amountText.nullable(),
    max_amount: amountText.nullable(),
    suggested_amounts: z.array(amountText),
    thanks: z.string().nullable(),
    currency: z.enum(currencies),
    pricing_currency: fiatCode.nullable(),
    max_payments: z.int().nullable(),
    expires_at: timestamp.nullable(),
    ask: z.array(z.enum(payerQuestions)),
    order_ref_prefix: z.string().nullable(),
    status: z.enum(paymentLinkStatuses),
    orders_open: z.int(),
    orders_paid: z.int(),
    success_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    settlement_account_id: z.string().meta({ format: "uuid" }).nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "PaymentLink", description: "A template of orders: its page makes one on each click." });

/** The public page of a link; null without a public base URL. */
export function linkUrl(publicBaseUrl: string | undefined, token: string): string | null {
  return publicBaseUrl === undefined ? null : `${publicBaseUrl}/l/${token}`;
}

export function toLinkRow(
  link: PaymentLink,
  { publicBaseUrl, now }: { publicBaseUrl: string | undefined; now: Date },
): z.input<typeof paymentLinkRow> {
  return {
    id: link.id,
    token: link.token,
    url: linkUrl(publicBaseUrl, link.token),
    title: link.title,
    description: link.description,
    amount: formatAmountOrNull(link.amount),
    min_amount: formatAmountOrNull(link.minAmount),
    max_amount: formatAmountOrNull(link.maxAmount),
    suggested_amounts: link.suggestedAmounts.map(formatAmount),
    thanks: link.thanks,
    currency: link.currency,
    pricing_currency: link.pricingCurrency,
    max_payments: link.maxPayments,
    expires_at: link.expiresAt?.toISOString() ?? null,
    ask: [...link.ask],
    order_ref_prefix: link.orderRefPrefix,
    status: paymentLinkStatus(link, link.places, now),
    orders_open: link.places.open,
    orders_paid: link.places.paid,
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    settlement_account_id: link.settlementAccountId,
    metadata: link.metadata,
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  };
}
