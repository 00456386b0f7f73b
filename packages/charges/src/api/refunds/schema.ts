import { currencies } from "@daric/domain/asset";
import { ruled } from "@daric/domain/field-rule";
import { parseAmount, zero } from "@daric/domain/money";
import { MAX_REFUND_REASON, MAX_REFUND_REF } from "@daric/domain/refund";
import { faultOfCurrency } from "@daric/http/error-message";
import { areValid, decimal, nullishText } from "@daric/http/validate";
import { confirmEmail } from "@daric/refunds/schema";
import { z } from "zod";

const positive = decimal.refine((value) => parseAmount(value) !== zero, ruled("must be above 0", "invalid"));

/** The body of a request for a refund. `null` is the same as missing. */
export const refundBody = z
  .object({
    amount: positive.nullish().meta({
      description: "Of the coin. Without it: what came too much, else all that is left.",
    }),
    fiatAmount: positive.nullish().meta({
      description:
        "A part of the order's price in fiat: the same part of the coins that paid it, never today's rate.",
    }),
    currency: z
      .enum(currencies, { error: ({ input }) => faultOfCurrency(input) })
      .nullish()
      .meta({
        description: "The coin that goes back; by default that of the order. Name another one that came.",
      }),
    refundRef: nullishText(MAX_REFUND_REF).meta({
      description: "Your own reference: the same one on the same order answers the same refund.",
    }),
    reason: nullishText(MAX_REFUND_REASON).meta({ description: "Shown to your people, and in events." }),
    address: z.string().nullish().meta({
      description:
        "Where the money goes, if the payer need not name it. It needs the scope `refunds:address`, and waits for an owner or admin.",
    }),
    confirmEmail,
  })
  .refine(({ amount, fiatAmount }) => (amount ?? null) === null || (fiatAmount ?? null) === null, {
    path: ["fiatAmount"],
    message: "cannot be given beside amount",
    when: areValid("amount", "fiatAmount"),
  })
  .meta({
    "x-examples": {
      surplus: { summary: "What came too much", value: { refundRef: "R-1042", reason: "Paid twice" } },
      part: { summary: "A part", value: { amount: "12.5", refundRef: "R-1042" } },
    },
  });
