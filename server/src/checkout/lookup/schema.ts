import { z } from "zod";
import { currencies } from "../../domain/asset.ts";
import {
  type Lookup,
  lookupResults,
  lookupRule,
  MAX_LOOKUP_CHARS,
  readNamedTransaction,
} from "../../domain/lookup.ts";
import { formatAmountOrNull } from "../../domain/money.ts";
import { amountText } from "../../http/validate.ts";

/** The body of a look-up: read as {@link readNamedTransaction} reads it, and refused where it holds no id. */
export const lookupBody = z
  .object({
    txHash: z
      .string()
      .max(MAX_LOOKUP_CHARS)
      .transform((text, issue) => {
        const transaction = readNamedTransaction(text);
        if (transaction !== "not_an_id") return transaction;
        issue.addIssue({ code: "custom", message: lookupRule });
        return z.NEVER;
      }),
  })
  .meta({
    "x-examples": {
      link: {
        summary: "What a payer pasted",
        value: { txHash: `https://tronscan.org/#/transaction/${"0f".repeat(32)}` },
      },
    },
  });

const lookupResult = z.enum(lookupResults).meta({
  description:
    "`counted`: its money is final and of this charge. `seen`: on its way to that. `failed`: it failed on the chain and " +
    "moved nothing. `other_address`: it went elsewhere. `other_token`: it came here, and is no money of this charge. " +
    "`not_on_tron`: a hash of another network (0x…). `not_found`: nobody knows it yet. `busy`: " +
    "too many ask; our own blocks do not show it, and the nodes can be asked in `retryAfterSeconds`.",
});

/** What is answered of a transaction. */
export const lookupAnswer = z
  .object({
    result: lookupResult,
    amount: amountText.nullable(),
    currency: z.enum(currencies).nullable(),
    confirmations: z.int().min(0).nullable(),
    requiredConfirmations: z.int().min(0).nullable(),
    addressEnd: z.string().nullable(),
    retryAfterSeconds: z.int().min(0).nullable(),
  })
  .meta({
    id: "CheckoutLookup",
    description: "What became of a transaction, as the payer of this checkout may know it.",
  });

const NOTHING_MORE = {
  amount: null,
  currency: null,
  confirmations: null,
  requiredConfirmations: null,
  addressEnd: null,
  retryAfterSeconds: null,
};

/** The wire's form: every field, null where the result has none. */
export function toLookupAnswer(lookup: Lookup): z.input<typeof lookupAnswer> {
  const fields = { ...NOTHING_MORE, ...lookup };
  return {
    result: fields.result,
    amount: formatAmountOrNull(fields.amount),
    currency: fields.currency,
    confirmations: fields.confirmations,
    requiredConfirmations: fields.requiredConfirmations,
    addressEnd: fields.addressEnd,
    retryAfterSeconds: fields.retryAfterSeconds,
  };
}
