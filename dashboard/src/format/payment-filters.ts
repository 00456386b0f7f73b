/** The filters of the list of payments, as the address of the page holds them. */
export type PaymentFilters = {
  kind?: "order" | "open" | "receive" | undefined;
  status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
  orderRef?: string | undefined;
};

const KINDS = ["order", "open", "receive"] as const;
const STATUSES = ["ACTIVE", "EXPIRED", "ARCHIVED"] as const;
const MAX_REFERENCE = 120;

/** Reads the filters out of an address. What is no filter is left out, so that no link breaks the page. */
export function readPaymentFilters(search: Record<string, unknown>): PaymentFilters {
  const kind = KINDS.find((each) => each === search.kind);
  const status = STATUSES.find((each) => each === search.status);
  // The router reads a reference of digits as a number.
  const reference = search.orderRef === undefined ? "" : String(search.orderRef).slice(0, MAX_REFERENCE);
  return {
    ...(kind && { kind }),
    ...(status && { status }),
    ...(reference !== "" && { orderRef: reference }),
  };
}
