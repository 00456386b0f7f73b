import type { Grants } from "@daric/postgres/grants";

/**
 * The rights of the service's role on refunds. Order, coin, amount and reference of a refund are written once. So is a watched
 * address. A transfer that was a proposal may be given to another refund.
 */
export const refundGrants = {
  refunds: {
    insert: true,
    update: [
      "status",
      "reason",
      "address",
      "named_by",
      "needs_confirmation",
      "confirmed_by",
      "claim_number",
      "claim_until",
      "refused_addresses",
      "ready_count",
      "head_number",
      "frozen_until",
      "tx_id",
      "paid_units",
      "ready_at",
      "sent_at",
      "completed_at",
      "canceled_at",
      "updated_at",
      "mac",
    ],
  },
  refund_addresses: { insert: true, update: ["watched_until"] },
  refund_transfers: {
    insert: true,
    update: [
      "merchant_id",
      "refund_id",
      "status",
      "confirmed_by",
      "mac",
      "block_number",
      "block_id",
      "block_time",
      "updated_at",
    ],
  },
} as const satisfies Grants;
