import { currencies } from "@daric/domain/asset";
import {
  type Lookup,
  lookupResults,
  lookupRule,
  MAX_LOOKUP_CHARS,
  readNamedTransaction,
} from "@daric/domain/lookup";
import { formatAmountOrNull } from "@daric/domain/money";
import { amountText } from "@daric/http/validate";
import { z } from "zod";

/** The body of a look-up: {@link readNamedTransaction} reads it; without an id it is refused. */
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
        summary: "The text that a payer pasted",
        value: { txHash: `https://tronscan.org/#/transaction/${"0f".repeat(32)}` },
      },
    },
  });

const lookupResult = z.enum(lookupResults).meta({
  description:
    "`counted`: its money is final and of this charge. `seen`: on its way to that. `failed`: it failed on the chain and " +
    "moved nothing. `other_address`: it went elsewhere. `other_token`: it came here, and is no money of this charge. " +
    "`not_on_tron`: a hash of another network (0x…). `not_found`: unknown so far. `busy`: " +
    "too many look-ups; our own blocks do not have it, and the nodes can be queried in `retryAfterSeconds`.",
});

/** The answer about a transaction. */
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
    description: "The state of a transaction, as the payer of this checkout may know it.",
  });

const NOTHING_MORE = {
  amount: null,
  currency: null,
  confirmations: null,
  requiredConfirmations: null,
  addressEnd: null,
  retryAfterSeconds: null,
};

/** The wire form: every field, null if the result has none. */
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
