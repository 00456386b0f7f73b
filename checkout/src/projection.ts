/** What the page reads of `GET /v1/checkout/:token`. */
export type SeenCheckout = {
  readonly state: string;
  readonly order: { readonly payAmount: string | null };
  readonly status: {
    readonly depositStatus: string | null;
    readonly confirmations: number;
    readonly amountReceived: string;
    readonly txHash: string | null;
  };
};

/**
 * What a payer can tell apart, but for the confirmations. The server writes the same text into `data-seen`: while the
 * two are equal, the page that is shown is up to date.
 */
export function seenOf({ state, order, status }: SeenCheckout): string {
  return [state, order.payAmount, status.depositStatus, status.amountReceived, status.txHash].join(" ");
}
