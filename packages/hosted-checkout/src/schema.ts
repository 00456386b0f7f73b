import { currencies } from "@daric/domain/asset";
import { checkoutStates } from "@daric/domain/checkout";
import { depositStatuses } from "@daric/domain/deposit";
import { feeModes, paymentStates } from "@daric/domain/order";
import { amountText, fiatCode, rateText, sentAmountText, timestamp } from "@daric/http/validate";
import { z } from "zod";

export const unchanged = z
  .null()
  .meta({ description: "Nothing has changed since the answer that If-None-Match names." });

/** The public view of a charge: exactly the keys of the service contract, "Checkout projection". */
export const checkoutProjection = z
  .object({
    state: z.enum(checkoutStates),
    merchant: z.object({
      name: z.string(),
      logoUrl: z.string().nullable(),
      accentColor: z.string().meta({ pattern: "^#[0-9a-f]{6}$" }),
    }),
    order: z.object({
      ref: z.string().nullable(),
      amount: amountText.nullable(),
      payAmount: amountText.nullable(),
      currency: z.enum(currencies),
      feeMode: z.enum(feeModes),
      successUrl: z.string().nullable(),
      cancelUrl: z.string().nullable(),
      fiatCurrency: fiatCode.nullable(),
      fiatAmount: sentAmountText.nullable(),
      quoteRate: rateText.nullable(),
      quoteExpiresAt: timestamp.nullable(),
    }),
    payment: z.object({
      address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }),
      chain: z.literal("tron"),
      expiresAt: timestamp.nullable(),
    }),
    status: z.object({
      depositStatus: z.enum(depositStatuses).nullable(),
      confirmations: z.int().min(0),
      requiredConfirmations: z.int().min(0),
      amountReceived: amountText,
      paymentState: z.enum(paymentStates),
      txHash: z.string().meta({ pattern: "^[0-9a-f]{64}$" }).nullable(),
      confirmedAt: timestamp.nullable(),
    }),
  })
  .meta({ id: "Checkout", description: "The public view of a charge, for the holder of its token." });
export type CheckoutProjection = z.output<typeof checkoutProjection>;
