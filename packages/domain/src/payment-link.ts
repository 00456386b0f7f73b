import { type FiatCurrency, isInUnitsOf } from "./fiat.ts";
import { type Amount, zero } from "./money.ts";

export const paymentLinkStatuses = ["active", "disabled", "sold_out", "expired"] as const;
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number];

/** The questions of a payment link to its payer. */
export const payerQuestions = ["name", "note", "email"] as const;
export type PayerQuestion = (typeof payerQuestions)[number];
/** The most characters of an answer. */
export const MAX_PAYER_TEXT = 120;

/** Limits of orders by clicks. A stranger who clicks holds up neither the shop's other payers nor its keys. */
export const clickLimits = {
  /** open orders of a client's address; for IPv6, of its /64 */
  openOfClient: 3,
  openOfLink: 200,
  openOfMerchant: 2_000,
  /** new orders of a link in a day */
  newOfLink: 2_000,
} as const;

/** The life of an order of a limited stock: the place comes back soon. */
export const STOCK_ORDER_SECONDS = 900;

/** The facts that close a link. */
export type LinkState = {
  readonly isActive: boolean;
  /** by the operator */
  readonly closedAt: Date | null;
  readonly expiresAt: Date | null;
  /** null without a limit */
  readonly maxPayments: number | null;
};

/** Orders of a link that hold a place of its stock: paid ones, and those that may yet be. */
export type Places = { readonly paid: number; readonly open: number };

/** Money that comes late may pay an order whose place was sold again, so more may be paid than `maxPayments`. */
export function isSoldOut({ maxPayments }: Pick<LinkState, "maxPayments">, { paid, open }: Places): boolean {
  return maxPayments !== null && paid + open >= maxPayments;
}

export function paymentLinkStatus(link: LinkState, places: Places, now: Date): PaymentLinkStatus {
  if (!link.isActive || link.closedAt !== null) return "disabled";
  if (link.expiresAt !== null && link.expiresAt <= now) return "expired";
  return isSoldOut(link, places) ? "sold_out" : "active";
}

/** The orders by clicks so far. */
export type ClickCounts = {
  readonly openOfClient: number;
  readonly openOfLink: number;
  readonly openOfMerchant: number;
  readonly newOfLink: number;
};

/** Why a click makes no order: the link is closed, its stock is taken, a limit is reached, or the click has its order. */
export type ClickRefusal = "LINK_CLOSED" | "LINK_SOLD_OUT" | "LINK_BUSY" | "SAME_CLICK";

/** Whether a limit of orders by clicks is reached. */
export function isBusy(counts: ClickCounts): boolean {
  const names = Object.keys(clickLimits) as (keyof ClickCounts)[];
  return names.some((name) => counts[name] >= clickLimits[name]);
}

/** The amounts that a link takes: a fixed one, or one within bounds that the payer chooses. */
export type LinkAmounts = {
  readonly amount: Amount | null;
  readonly minAmount: Amount | null;
  readonly maxAmount: Amount | null;
  /** null for a price in the coin itself */
  readonly pricingCurrency: FiatCurrency | null;
};

/** Why an amount that the payer chose is not taken. */
export type AmountFault = "missing" | "tooSmall" | "tooLarge" | "tooManyDecimals";

/** The amount of an order by a click. A fixed amount stays, whatever the payer chose. */
export function amountOfClick(
  { amount, minAmount, maxAmount, pricingCurrency }: LinkAmounts,
  chosen: Amount | null,
): { readonly amount: Amount } | { readonly fault: AmountFault } {
  if (amount !== null) return { amount };
  if (chosen === null) return { fault: "missing" };
  if (pricingCurrency !== null && !isInUnitsOf(pricingCurrency, chosen)) return { fault: "tooManyDecimals" };
  if (chosen <= zero || (minAmount !== null && chosen < minAmount)) return { fault: "tooSmall" };
  if (maxAmount !== null && chosen > maxAmount) return { fault: "tooLarge" };
  return { amount: chosen };
}
