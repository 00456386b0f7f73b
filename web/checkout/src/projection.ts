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
 * The checkout in an answer or a message of the service. A captive portal or a proxy may answer anything in its place.
 *
 * @throws Error if it is not one.
 */
export function readCheckout(body: unknown): SeenCheckout {
  const { data } = (body ?? {}) as { data?: Partial<SeenCheckout> };
  if (typeof data?.status?.confirmations !== "number" || !data.state || !data.order || !data.payment)
    throw new Error("not an answer of the service");
  return data as SeenCheckout;
}

/**
 * The parts of the projection that change the page, except confirmations before the last. The server writes the same text into
 * `data-seen`: while both are equal, the page shows the projection.
 */
export function seenOf({ state, order, payment, status }: SeenCheckout): string {
  const { depositStatus, amountReceived, txHash } = status;
  const hasAllConfirmations = status.confirmations >= status.requiredConfirmations;
  const requested = [order.payAmount, order.quoteExpiresAt, payment.expiresAt];
  return [state, ...requested, depositStatus, amountReceived, txHash, hasAllConfirmations].join(" ");
}
