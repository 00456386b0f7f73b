import type { ChargeStatus } from "./charge.ts";
import type { ApiErrorCode } from "./errors.ts";
import { type Amount, add, subtract, zero } from "./money.ts";
import { isOverpaid, isPaid, isSettled, type Terms } from "./order.ts";
import { type FiatPrice, fiatCovering, requotedRoundedDown } from "./quote.ts";
import type { ConfirmedSums } from "./sums.ts";

/** The facts about a charge and its money. Only money that counts and is in the charge's currency decides. */
export type MoneyFacts = {
  readonly status: ChargeStatus;
  readonly terms: Terms;
  /** when the merchant took the received amount as full payment */
  readonly acceptedAt: Date | null;
  readonly confirmed: ConfirmedSums;
  readonly hasConfirming: boolean;
  readonly hasDetected: boolean;
};

/** The facts about an order that decide what is missing of it and of its rests. */
export type RestFacts = MoneyFacts & {
  /** the price in fiat, with its newest rate */
  readonly fiatCurrency: FiatPrice["fiatCurrency"] | null;
  readonly fiatAmount: string | null;
  readonly quote: { readonly rate: string } | null;
};

/** More rests of one order are not looked at. */
export const MAX_RESTS = 100;

/** An order with all its rests, open and ended ones, the newest first. Every rest is one of the first order, never of a rest. */
export type Family<Order extends RestFacts = RestFacts> = {
  readonly first: Order;
  readonly rests: readonly Order[];
};

/** The answer to the request for a rest: the open rest, the price of a new one, or the refusal. */
type RestAnswer<Order> =
  | { readonly open: Order }
  | { readonly missing: Amount; readonly fiatMissing: string | null }
  | {
      readonly refusal: Extract<
        ApiErrorCode,
        "ORDER_ALREADY_PAID" | "PAYMENT_IN_PROGRESS" | "NOTHING_RECEIVED"
      >;
    };

/** An open rest stays while it asks for what the other orders are short of; money that came to them since makes it ask for too much. */
export function answerToRest<Order extends RestFacts>(family: Family<Order>): RestAnswer<Order> {
  const { first, rests } = family;
  if (isNothingMissing(family)) return { refusal: "ORDER_ALREADY_PAID" };
  const open = rests.find(({ status }) => status === "ACTIVE");
  const others = rests.filter((rest) => rest !== open);
  if (open !== undefined && asksFor(open, priceOf({ first, rests: others }))) return { open };
  if ([first, ...rests].some(({ hasConfirming, hasDetected }) => hasConfirming || hasDetected))
    return { refusal: "PAYMENT_IN_PROGRESS" };
  if (creditedOf(family, "total") <= zero) return { refusal: "NOTHING_RECEIVED" };
  return priceOf(family);
}

/** Whether the rests pay the order: one of them is paid, or all in-time money adds up. Money after a late window pays nothing. */
export function isPaidByRests(family: Family): boolean {
  const { first, rests } = family;
  return rests.some(isSettled) || (rests.length > 0 && isPaid(first.terms, creditedOf(family, "inWindow")));
}

/** Whether the money of the family covers the price, whenever it came, or was accepted as the price. */
export function isNothingMissing(family: Family): boolean {
  const { first } = family;
  return first.terms.due === null || isSettled(first) || isPaid(first.terms, creditedOf(family, "total"));
}

/** The money of the family less the price of its first order. A price in fiat is rounded up, and that is no surplus. */
export function differenceOf(family: Family): Amount {
  const { terms } = family.first;
  const total = creditedOf(family, "total");
  const difference = subtract(total, terms.due ?? zero);
  return difference > zero && !isOverpaid(terms, total) ? zero : difference;
}

/** Credited money of all orders at the rate of the first one, rounded down. */
export function creditedOf({ first, rests }: Family, sum: keyof ConfirmedSums): Amount {
  return rests.reduce((credited, { confirmed, quote }) => {
    const own = confirmed[sum];
    return add(credited, first.quote && quote ? requotedRoundedDown(own, quote.rate, first.quote.rate) : own);
  }, first.confirmed[sum]);
}

function priceOf(family: Family): { readonly missing: Amount; readonly fiatMissing: string | null } {
  const { terms, quote, fiatCurrency } = family.first;
  const missing = subtract(terms.due ?? zero, creditedOf(family, "total"));
  return { missing, fiatMissing: quote && fiatCurrency && fiatCovering(missing, quote.rate, fiatCurrency) };
}

function asksFor({ terms, fiatAmount }: RestFacts, price: ReturnType<typeof priceOf>): boolean {
  return price.fiatMissing === null ? terms.due === price.missing : fiatAmount === price.fiatMissing;
}
