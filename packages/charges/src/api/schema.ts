import { currencies, DEFAULT_CURRENCY } from "@daric/domain/asset";
import type { Caller } from "@daric/domain/caller";
import { chargeKinds, chargeStatuses, MAX_LIFE_DAYS, MAX_LIFE_SECONDS } from "@daric/domain/charge";
import { isEmail, MAX_EMAIL_CHARS } from "@daric/domain/email";
import { type FiatCurrency, fiatCurrencies, fiats, isInUnitsOf } from "@daric/domain/fiat";
import { ruled } from "@daric/domain/field-rule";
import { metadataFaults, metadataLimits } from "@daric/domain/metadata";
import { type Amount, parseAmount } from "@daric/domain/money";
import { orderPaymentStatuses } from "@daric/domain/order";
import { faultOfCurrency } from "@daric/http/error-message";
import { moment } from "@daric/http/moment";
import { listQueryOf } from "@daric/http/pagination";
import {
  areValid,
  countedFirst,
  decimal,
  nullishHttpUrl,
  nullishText,
  text,
  uuid,
} from "@daric/http/validate";
import { z } from "zod";
import type { ChargeRequest } from "../create/charge-request.ts";
import { emailSealer } from "../customer-email.ts";
import { createExamples } from "./create-examples.ts";

const MAX_TEXT = 120;
const MAX_PAYER_REF = 64;
const MAX_REASON = 500;
const chains = ["tron"] as const;

/** The e-mail address of a payer, or none. */
export const customerEmail = text(MAX_EMAIL_CHARS)
  .refine(isEmail, ruled("must be an e-mail address like ada@mail.example", "email"))
  .nullish()
  .transform((address) => address ?? null);

/** Documented here; `metadataFaults` checks it with messages that name the key. */
const keyLengths = { minLength: 1, maxLength: metadataLimits.keyLength };
const metadata = z
  .record(z.string().meta(keyLengths), text(metadataLimits.valueLength))
  .superRefine((value, { addIssue }) => {
    for (const { path, message } of metadataFaults(value))
      addIssue({ code: "custom", path: [...path], message });
  })
  .meta({
    description:
      `Text of your own by name, which only you can read. At most ${metadataLimits.keys} keys of 1 to ` +
      `${metadataLimits.keyLength} characters. Values have at most ${metadataLimits.valueLength} characters, ` +
      `and all together at most ${metadataLimits.bytes} bytes, as JSON without blanks in UTF-8.`,
    maxProperties: metadataLimits.keys,
    examples: [{ cart: "8842" }],
  });

/** The body of create. Every field is optional, and `null` is the same as missing. */
export const createBody = z
  .object({
    chain: z.enum(chains).nullish(),
    currency: z.enum(currencies, { error: ({ input }) => faultOfCurrency(input) }).nullish(),
    pricingCurrency: z.enum([...fiatCurrencies, DEFAULT_CURRENCY]).nullish(),
    amount: decimal.nullish(),
    // Any text: a reference is the merchant's. The page escapes and isolates it.
    orderRef: text(MAX_TEXT).nullish(),
    label: text(MAX_TEXT).nullish(),
    successUrl: nullishHttpUrl,
    cancelUrl: nullishHttpUrl,
    settlementAccountId: uuid("settlementAccount").nullish(),
    reusable: z.boolean().nullish(),
    metadata: countedFirst(metadataLimits.keys, metadata).nullish(),
    customerRef: text(MAX_TEXT).min(1, "must have at least 1 character").nullish().meta({
      description:
        "With `reusable`: your own reference of the customer. Each customer has one standing address, found or created.",
    }),
    customerEmail: customerEmail.meta({
      description:
        "The payer's e-mail address, for the receipt and what the payer has to know. The first address of an order counts. It is " +
        "encrypted, kept 90 days after the last change of the order, and never in webhooks.",
      examples: ["ada@mail.example"],
    }),
    // The contract has this field for callers without an API key; here every caller has one.
    apiKeyId: z
      .unknown()
      .optional()
      .transform(() => undefined)
      .meta({
        type: "string",
        format: "uuid",
        description: "Ignored: the key of the request counts.",
      }),
  })
  .refine(({ pricingCurrency: unit, currency }) => unit !== DEFAULT_CURRENCY || (currency ?? unit) === unit, {
    path: ["pricingCurrency"],
    error: ({ input }) => `cannot be ${DEFAULT_CURRENCY} for a charge in ${Object(input).currency}`,
    when: areValid("pricingCurrency", "currency"),
  })
  .refine(({ reusable, amount }) => !reusable || isMissing(amount), {
    path: ["amount"],
    message: "cannot be given for a reusable address",
    when: areValid("reusable", "amount"),
  })
  .refine(({ reusable, customerRef }) => reusable === true || isMissing(customerRef), {
    path: ["customerRef"],
    message: "can only be given for a reusable address",
    when: areValid("reusable", "customerRef"),
  })
  .refine(({ reusable, customerEmail }) => !reusable || isMissing(customerEmail), {
    path: ["customerEmail"],
    message: "cannot be given for a reusable address",
    when: areValid("reusable", "customerEmail"),
  })
  .superRefine(
    ({ pricingCurrency, amount }, { addIssue }) => {
      const currency = fiatOf(pricingCurrency);
      if (currency !== null && !isMissing(amount) && !isInUnitsOf(currency, amountOf(amount)))
        addIssue({ code: "custom", path: ["amount"], ...tooFine(currency) });
    },
    { when: areValid("pricingCurrency", "amount") },
  )
  .meta({ "x-examples": createExamples });

/** The currency of a price; null for a price in the coin itself. */
export function fiatOf(pricingCurrency: FiatCurrency | typeof DEFAULT_CURRENCY | null | undefined) {
  return pricingCurrency === DEFAULT_CURRENCY ? null : (pricingCurrency ?? null);
}

/** The fault of an amount that is finer than the smallest unit of a currency. */
export function tooFine(currency: FiatCurrency) {
  const { decimals } = fiats[currency];
  const message =
    decimals === 0
      ? `must have no decimals in ${currency}`
      : `must have at most ${decimals} decimals in ${currency}`;
  return ruled(message, "decimals", decimals);
}

/** Makes the request of a body and its caller. `masterKey` seals the payer's address. */
export function toChargeRequest(
  body: z.output<typeof createBody>,
  caller: Pick<Caller, "merchantId" | "apiKeyId" | "session">,
  masterKey: Buffer,
): ChargeRequest {
  const fiatCurrency = fiatOf(body.pricingCurrency);
  return {
    merchantId: caller.merchantId,
    apiKeyId: caller.apiKeyId ?? null,
    createdBy: caller.session?.personId ?? null,
    currency: body.currency ?? DEFAULT_CURRENCY,
    amount: isMissing(body.amount) ? null : amountOf(body.amount),
    fiatCurrency,
    fiatAmount: fiatCurrency && (body.amount ?? null),
    orderRef: body.orderRef ?? null,
    label: body.label ?? null,
    successUrl: body.successUrl,
    cancelUrl: body.cancelUrl,
    settlementAccountId: body.settlementAccountId ?? null,
    metadata: body.metadata ?? null,
    customerRef: body.customerRef ?? null,
    sealEmail:
      body.customerEmail === null
        ? undefined
        : emailSealer(masterKey, { email: body.customerEmail, source: "api", language: null }),
  };
}

/** The body of a request that accepts an order which was not paid in full. */
export const acceptBody = z
  .object({
    reason: nullishText(MAX_REASON).meta({
      description:
        "The reason to accept the received money as the full price. Only the merchant can read it.",
    }),
  })
  .meta({
    "x-examples": { short: { summary: "A good customer", value: { reason: "paid the rest in cash" } } },
  });

/** The body of extend. */
export const extendBody = z
  .object({
    seconds: z
      .int()
      .min(1)
      .max(MAX_LIFE_SECONDS)
      .meta({
        description:
          "By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most " +
          `${MAX_LIFE_DAYS} days behind \`created_at\`.`,
        examples: [1_800],
      }),
  })
  .meta({ "x-examples": { halfAnHour: { summary: "Half an hour more", value: { seconds: 1_800 } } } });

/** The reference that a payment link's address gave: `?ref=`. */
export const payerRef = text(MAX_PAYER_REF)
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must have 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
  .meta({ description: "The `ref` in the address of the payment link." });

/** The query of the list. `kind=open` and all from `orderRef` on are additions to the contract. */
export const listQuery = listQueryOf("charge").extend({
  status: z.enum(chargeStatuses).optional(),
  chain: z.enum(chains).optional(),
  kind: z.enum(chargeKinds).optional(),
  orderRef: text(MAX_TEXT).optional(),
  customerRef: text(MAX_TEXT).optional(),
  paymentLinkId: uuid("paymentLink").optional(),
  payerRef: text(MAX_TEXT).optional(),
  paymentStatus: z.enum(orderPaymentStatuses).optional(),
  from: moment.optional(),
  to: moment.optional(),
});

function isMissing(value: string | null | undefined): value is null | undefined {
  return value === null || value === undefined;
}

function amountOf(decimalText: string): Amount {
  const amount = parseAmount(decimalText);
  if (amount === undefined) throw new Error("an amount that was not validated");
  return amount;
}
