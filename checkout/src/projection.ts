import type { Checkout } from "@daric/sdk/contract";

/** The part of `GET /v1/checkout/:token` that the page reads. */
export type SeenCheckout = Pick<Checkout, "state"> & {
  readonly order: Pick<Checkout["order"], "payAmount" | "quoteExpiresAt">;
  readonly payment: Pick<Checkout["payment"], "expiresAt">;
  readonly status: Pick<
    Checkout["status"],
    "depositStatus" | "confirmations" | "requiredConfirmations" | "amountReceived" | "txHash"
  >;
};

/**
 * All that a payer can distinguish, except confirmations before the last. The server writes the same text
 * into `data-seen`: while both are equal, the page is current.
 */
export function seenOf({ state, order, payment, status }: SeenCheckout): string {
  const { depositStatus, amountReceived, txHash } = status;
  const hasAllConfirmations = status.confirmations >= status.requiredConfirmations;
  const requested = [order.payAmount, order.quoteExpiresAt, payment.expiresAt];
  return [state, ...requested, depositStatus, amountReceived, txHash, hasAllConfirmations].join(" ");
}
