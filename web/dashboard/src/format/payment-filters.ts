/** The filters of the list of payments, as the address of the page holds them. Days are those of this browser's calendar. */
export type PaymentFilters = {
  kind?: (typeof KINDS)[number] | undefined;
  status?: (typeof STATUSES)[number] | undefined;
  payment?: (typeof PAYMENTS)[number] | undefined;
  reference?: string | undefined;
  paymentLinkId?: string | undefined;
  payerRef?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const KINDS = ["order", "open", "receive"] as const;
const STATUSES = ["ACTIVE", "EXPIRED", "ARCHIVED"] as const;
const PAYMENTS = ["paid", "short"] as const;
const MAX_REFERENCE = 120;

/** Reads the filters out of an address. Parameters that are no filters are left out, so that no link breaks the page. */
export function readPaymentFilters(search: Record<string, unknown>): PaymentFilters {
  const reference = typeof search.reference === "string" ? search.reference.slice(0, MAX_REFERENCE) : "";
  const filters: PaymentFilters = {
    kind: KINDS.find((kind) => kind === search.kind),
    status: STATUSES.find((status) => status === search.status),
    payment: PAYMENTS.find((payment) => payment === search.payment),
    reference: reference === "" ? undefined : reference,
    paymentLinkId: textLike(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, search.paymentLinkId),
    payerRef: textLike(/^[\w-]{1,64}$/, search.payerRef),
    from: dayOf(search.from),
    to: dayOf(search.to),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

function textLike(form: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && form.test(value) ? value : undefined;
}

function dayOf(value: unknown): string | undefined {
  const day = String(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(new Date(day).getTime()) ? day : undefined;
}

/** The times of the chosen days: from the beginning of the first to the end of the last. */
export function rangeOf({ from, to }: Pick<PaymentFilters, "from" | "to">): { from?: string; to?: string } {
  return {
    ...(from !== undefined && { from: midnight(from, 0) }),
    ...(to !== undefined && { to: midnight(to, 1) }),
  };
}

function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
