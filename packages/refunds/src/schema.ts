import { currencies } from "@daric/domain/asset";
import { formatAmount, formatAmountOrNull } from "@daric/domain/money";
import { MAX_REFUND_REASON, refundDoubts, refundStatuses } from "@daric/domain/refund";
import { listQueryOf } from "@daric/http/pagination";
import { amountText, nullishText, sentAmountText, timestamp, uuid } from "@daric/http/validate";
import { z } from "zod";
import { claimUrl } from "./claim-token.ts";
import type { Refund, SealingContext } from "./refund.ts";

const id = z.string().meta({ format: "uuid" });

/** A refund, as the merchant sees it. */
export const refundRow = z
  .object({
    id,
    deposit_address_id: id,
    order_ref: z.string().nullable(),
    amount: amountText,
    currency: z.enum(currencies),
    fiat_amount: sentAmountText.nullable(),
    status: z.enum(refundStatuses),
    address: z.string().nullable(),
    needs_confirmation: z.enum(refundDoubts).nullable(),
    default_address: z.string().nullable(),
    refund_ref: z.string().nullable(),
    claim_url: z.string().nullable(),
    claim_expires_at: timestamp,
    tx_hash: z.string().nullable(),
    paid_amount: amountText.nullable(),
    reason: z.string().nullable(),
    pay_until: timestamp.nullable(),
    requested_at: timestamp,
    ready_at: timestamp.nullable(),
    sent_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    canceled_at: timestamp.nullable(),
  })
  .meta({ id: "Refund", description: "Money that a merchant promises back to a payer." });

/**
 * The row. It has the claim link only for a caller that may ask for refunds, and only in the answer about one refund.
 */
export function toRefundRow(
  context: SealingContext & {
    readonly config: { readonly http: { readonly publicBaseUrl: string | undefined } };
  },
  refund: Refund,
  { withClaim }: { readonly withClaim: boolean },
): z.input<typeof refundRow> {
  return {
    id: refund.id,
    deposit_address_id: refund.chargeId,
    order_ref: refund.orderRef,
    amount: formatAmount(refund.units),
    currency: refund.currency,
    fiat_amount: refund.fiatAmount,
    status: refund.status,
    address: refund.address,
    needs_confirmation: refund.needsConfirmation,
    default_address: refund.defaultAddress,
    refund_ref: refund.refundRef,
    claim_url: withClaim ? claimUrl(context, context.config.http.publicBaseUrl, refund) : null,
    claim_expires_at: refund.claimUntil.toISOString(),
    tx_hash: refund.txId,
    paid_amount: formatAmountOrNull(refund.paidUnits),
    reason: refund.reason,
    pay_until: refund.frozenUntil?.toISOString() ?? null,
    requested_at: refund.requestedAt.toISOString(),
    ready_at: refund.readyAt?.toISOString() ?? null,
    sent_at: refund.sentAt?.toISOString() ?? null,
    completed_at: refund.completedAt?.toISOString() ?? null,
    canceled_at: refund.canceledAt?.toISOString() ?? null,
  };
}

export const refundQuery = listQueryOf("refund").extend({
  status: z.enum(refundStatuses).optional(),
  depositAddressId: uuid("charge").optional(),
});

export const confirmBody = z
  .object({
    address: z.string().nullable().optional().meta({
      description: "The address that the person saw. Where it is another one by now, nothing is confirmed.",
    }),
    reason: nullishText(MAX_REFUND_REASON).meta({
      description:
        "Why another address than the sender's is paid; needed where `needs_confirmation` is `other_address`.",
    }),
  })
  .meta({
    "x-examples": {
      sure: { summary: "Nothing to add", value: {} },
      otherAddress: {
        summary: "Another address than the sender's",
        value: { reason: "The sender is an exchange, which the payer has left" },
      },
    },
  });

/** The claim link goes to an address that the merchant's program gave; to one that the payer's side typed only if a person says so. */
export const confirmEmail = z.boolean().nullish().meta({
  description:
    "`true` in a person's session: the order's `customer_email` is the payer's, although the payer's side typed it. The claim link is mailed there.",
});

export const askAgainBody = z.object({ confirmEmail }).meta({
  "x-examples": {
    link: { summary: "A new link, which you send", value: {} },
    mail: { summary: "A new link, which is mailed", value: { confirmEmail: true } },
  },
});

const TX_EXAMPLE = "8f3c1d5e7a9b0c2d4e6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5";

export const transactionBody = z
  .object({
    txHash: z
      .string()
      .regex(/^(0x)?[0-9A-Fa-f]{64}$/, "must be the hash of a transaction: 64 hexadecimal digits")
      .transform((hash) => hash.replace(/^0x/, "").toLowerCase())
      .meta({ description: "The transaction that paid the refund." }),
  })
  .meta({ "x-examples": { named: { summary: "A transaction", value: { txHash: TX_EXAMPLE } } } });
