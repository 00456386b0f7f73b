import { ApiError } from "./errors.ts";
import { type Amount, amountFromUnits, centsOf, formatCents, parseAmount, zero } from "./money.ts";
import { type Fee, type FeeMode, type Price, priceOrder } from "./order.ts";

/** How long a quote is shown and guaranteed to the payer. */
export const QUOTE_LOCK_MS = 600_000;
/** The oldest rate that a new quote may lock. */
export const MAX_LOCKED_RATE_AGE_MS = 60_000;
/** How long after its end a quote still applies to deposits: a payer may begin in time, and the chain may be slow. */
export const GRACE_AFTER_QUOTE_MS = 900_000;
/** How far a chain's clock may be behind the database's at the start of a quote. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** A stored rate values deposits without a quote if it is at most this much older than their block. */
export const MAX_STORED_RATE_AGE_MS = 3_600_000;

const RATE_SCALE = 10n ** 12n;
const MAX_DUE_UNITS = 10n ** 18n - 1n;

/** The price of a fiat amount. `rateE4` is units of the currency per 1 USD, in 10^-4. */
export type QuotedPrice = Price & { readonly rateE4: bigint };

export type FeeTerms = { readonly feeMode: FeeMode; readonly fee: Fee };

/** Units of a currency per 1 USD in 10^-4, from USD per unit in 10^-8. Rounded up, so that the price is never too low. */
export function quoteRateRoundedUp(usdE8: bigint): bigint {
  return (RATE_SCALE + usdE8 - 1n) / usdE8;
}

/**
 * The price of a USD amount with at most 2 decimals. Cents times the rate in 10^-4 are minor units exactly; only the rate
 * and the payer's fee are rounded. Undefined if the price has more than 12 digits before the point.
 */
export function priceInFiat(fiatAmount: string, usdE8: bigint, terms: FeeTerms): QuotedPrice | undefined {
  const rateE4 = quoteRateRoundedUp(usdE8);
  const expected = amountFromUnits(centsOf(fiatAmount) * rateE4);
  const price = priceOrder(expected, terms.feeMode, terms.fee);
  return (price.pay ?? price.expected) > MAX_DUE_UNITS ? undefined : { ...price, rateE4 };
}

/** @throws VALIDATION_ERROR if the price, see {@link priceInFiat}, has more than 12 digits before the point. */
export function offerInFiat(fiatAmount: string, usdE8: bigint, terms: FeeTerms): QuotedPrice {
  const price = priceInFiat(fiatAmount, usdE8, terms);
  if (price !== undefined) return price;
  const message = "comes to more than 12 digits before the point at the rate of now";
  throw new ApiError("VALIDATION_ERROR", { details: [{ path: "amount", message }] });
}

/** The amount in USD that an amount is worth at a rate (units of the currency per 1 USD), as text. Rounded up to a cent. */
export function fiatRoundedUp(amount: Amount, rate: string): string {
  const rateE6 = parseAmount(rate) ?? zero;
  return formatCents((amount * 100n + rateE6 - 1n) / rateE6);
}

/** The amount that is worth as much at another rate. Rounded down. */
export function requotedRoundedDown(amount: Amount, rate: string, otherRate: string): Amount {
  return amountFromUnits((amount * (parseAmount(otherRate) ?? zero)) / (parseAmount(rate) ?? zero));
}

/** A quote of one order. `chainTime` is the time of the newest block that was scanned when the quote was locked, if any. */
export type OfferedQuote = {
  readonly rateE4: bigint;
  readonly lockedAt: Date;
  readonly expiresAt: Date;
  readonly chainTime: Date | null;
};

/**
 * The applicable quote of a deposit in a block of this time: of all quotes that are valid then, the one with the lowest due.
 * `quotes` are those of one order, oldest first. An order's amount and fee never change, so the lowest rate decides.
 */
export function applicableQuote<Q extends OfferedQuote>(
  quotes: readonly Q[],
  blockTime: Date,
): Q | undefined {
  const time = blockTime.getTime();
  // The first quote has no start: before it the order's address did not exist.
  const holding = quotes.filter(
    (quote, index) => (index === 0 || time >= holdsFromMs(quote)) && time <= holdsUntilMs(quote),
  );
  return holding.reduce<Q | undefined>(
    (lowest, quote) => (lowest === undefined || quote.rateE4 < lowest.rateE4 ? quote : lowest),
    undefined,
  );
}

/**
 * A slow clock of the chain gives blocks after the lock a time before it. They are never older than the newest block scanned
 * at the lock. A difference above a minute comes from a scanner that lags, not from the clock.
 */
function holdsFromMs({ lockedAt, chainTime }: OfferedQuote): number {
  const locked = lockedAt.getTime();
  return Math.max(locked - MAX_CLOCK_DIFFERENCE_MS, Math.min(locked, chainTime?.getTime() ?? locked));
}

/** The end of the grace, by the clock that was ahead at the lock. */
function holdsUntilMs({ lockedAt, expiresAt, chainTime }: OfferedQuote): number {
  const ahead = Math.max(0, (chainTime?.getTime() ?? 0) - lockedAt.getTime());
  return expiresAt.getTime() + ahead + GRACE_AFTER_QUOTE_MS;
}
