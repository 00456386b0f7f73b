import type { Checkout } from "@daric/sdk/contract";

/** What the page reads of `GET /v1/checkout/:token`. */
export type SeenCheckout = Pick<Checkout, "state"> & {
  readonly order: Pick<Checkout["order"], "payAmount" | "quoteExpiresAt">;
  readonly payment: Pick<Checkout["payment"], "expiresAt">;
  readonly status: Pick<
    Checkout["status"],
    "depositStatus" | "confirmations" | "requiredConfirmations" | "amountReceived" | "txHash"
  >;
};

/**
 * What a payer can tell apart, but for the confirmations as long as some are missing. The server writes the same text into `data-seen`: while the
 * two are equal, the page that is shown is up to date.
 */
export function seenOf({ state, order, payment, status }: SeenCheckout): string {
  const { depositStatus, amountReceived, txHash } = status;
  const hasAllConfirmations = status.confirmations >= status.requiredConfirmations;
  const requested = [order.payAmount, order.quoteExpiresAt, payment.expiresAt];
  return [state, ...requested, depositStatus, amountReceived, txHash, hasAllConfirmations].join(" ");
}
