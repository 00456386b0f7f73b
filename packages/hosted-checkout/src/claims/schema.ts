import { currencies } from "@daric/domain/asset";
import type { Branding } from "@daric/domain/checkout";
import { formatAmount, formatAmountOrNull } from "@daric/domain/money";
import { refundStatuses } from "@daric/domain/refund";
import { amountText, timestamp } from "@daric/http/validate";
import type { Claim } from "@daric/refunds/claim-refund";
import { z } from "zod";

/** A refund, as its claim link shows it: without the facts that are only for its merchant. */
export const claimAnswer = z
  .object({
    shop: z.string().meta({ description: "The name of the shop.", examples: ["Blue Bottle Books"] }),
    order_ref: z.string().nullable(),
    amount: amountText,
    currency: z.enum(currencies),
    status: z.enum(refundStatuses),
    takes_address: z.boolean().meta({
      description: "Whether the link takes an address now. It takes one, once.",
      examples: [true],
    }),
    waits_for_shop: z.boolean().meta({
      description: "Whether the shop must confirm the refund before it is ready.",
      examples: [false],
    }),
    default_address: z.string().nullable(),
    address: z.string().nullable(),
    address_paid_order: z
      .boolean()
      .nullable()
      .meta({
        description:
          "Whether the address sent money of the order. It may be that of an exchange. null without an address.",
        examples: [true],
      }),
    claim_expires_at: timestamp,
    tx_hash: z.string().nullable(),
    paid_amount: amountText.nullable(),
  })
  .meta({ id: "RefundClaim", description: "A refund, as its payer sees it." });

/** A refund with what its page says beside it. */
export type ShownClaim = Claim & {
  readonly merchant: Branding;
  /** whether its address sent money of the order; null without an address */
  readonly hasPaidOrder: boolean | null;
};

/** Whether the link shows nothing more. One that took an address, or whose refund is over, shows that. */
export function isOver({ closed }: Claim): boolean {
  return closed === "expired" || closed === "refused" || closed === "replaced";
}

export function toClaimAnswer({
  refund,
  closed,
  merchant,
  hasPaidOrder,
}: ShownClaim): z.input<typeof claimAnswer> {
  return {
    shop: merchant.name,
    order_ref: refund.orderRef,
    amount: formatAmount(refund.units),
    currency: refund.currency,
    status: refund.status,
    takes_address: closed === undefined,
    waits_for_shop: refund.status === "REQUESTED" && refund.needsConfirmation !== null,
    default_address: refund.defaultAddress,
    address: refund.address,
    address_paid_order: hasPaidOrder,
    claim_expires_at: refund.claimUntil.toISOString(),
    tx_hash: refund.txId,
    paid_amount: formatAmountOrNull(refund.paidUnits),
  };
}

/** Blanks and invisible marks, which copying brings. */
const NO_PART_OF_ADDRESS = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const MAX_TYPED = 200;

const typedAddress = z.string().transform((text) => text.replace(NO_PART_OF_ADDRESS, "").slice(0, MAX_TYPED));

export const claimBody = z
  .object({
    address: typedAddress.meta({
      description: "The payer's own TRON address, which is to get the money. The link takes one, once.",
      examples: ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"],
    }),
  })
  .meta({
    "x-examples": {
      wallet: { summary: "A wallet of the payer", value: { address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8" } },
    },
  });

/** The form of the page, in two steps: an address, and the same one confirmed. */
export const claimForm = z.object({
  address: typedAddress.catch(""),
  confirmed: z.string().optional().catch(undefined),
});
