import { ApiError } from "./errors.ts";
import { type FiatCurrency, unitOf } from "./fiat.ts";
import { type Amount, amountFromUnits, formatAmount, parseAmount, parseRate } from "./money.ts";
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

const RATE_SCALE = 10n ** 10n;
/** A rate in USD has 4 decimals, as the contract's examples; four would overcharge a yen by 0.75 %. */
const RATE_STEP = 10n ** 6n;
const PRICE_SCALE = 10n ** 18n;
const MAX_DUE_UNITS = 10n ** 18n - 1n;

/** A price in fiat, as it was sent. */
export type FiatPrice = { readonly fiatCurrency: FiatCurrency; readonly fiatAmount: string };

/** The price in a coin. `rateE10`: units of the coin for 1 unit of the fiat currency, in 10^-10. */
export type QuotedPrice = Price & { readonly rateE10: bigint };

export type FeeTerms = { readonly feeMode: FeeMode; readonly fee: Fee };

/**
 * Units of a coin for 1 unit of a fiat currency, in 10^-10. `priceE8`: units of the currency for 1 unit of the coin, in 10^-8.
 * Rounded up, so that the price is never too low: to 4 decimals in USD, and to 10 in any other currency.
 */
export function quoteRateRoundedUp(priceE8: bigint, currency: FiatCurrency): bigint {
  const step = currency === "USD" ? RATE_STEP : 1n;
  return dividedRoundedUp(PRICE_SCALE, priceE8 * step) * step;
}

/**
 * The price of a fiat amount, rounded up to 10^-6 of the coin. Of USD it is the amount times the rate exactly.
 * Undefined if the price has more than 12 digits before the point.
 *
 * @throws Error unless the amount is a decimal; its caller has validated it.
 */
export function priceInFiat(
  { fiatCurrency, fiatAmount }: FiatPrice,
  priceE8: bigint,
  terms: FeeTerms,
): QuotedPrice | undefined {
  const amount = parseAmount(fiatAmount);
  if (amount === undefined) throw new Error("an amount that was not validated");
  const rateE10 = quoteRateRoundedUp(priceE8, fiatCurrency);
  const expected = amountFromUnits(dividedRoundedUp(amount * rateE10, RATE_SCALE));
  const price = priceOrder(expected, terms.feeMode, terms.fee);
  return (price.pay ?? price.expected) > MAX_DUE_UNITS ? undefined : { ...price, rateE10 };
}

/** @throws VALIDATION_ERROR if the price, see {@link priceInFiat}, has more than 12 digits before the point. */
export function offerInFiat(fiatPrice: FiatPrice, priceE8: bigint, terms: FeeTerms): QuotedPrice {
  const price = priceInFiat(fiatPrice, priceE8, terms);
  if (price !== undefined) return price;
  const message = "comes to more than 12 digits before the point at the rate of now";
  throw new ApiError("VALIDATION_ERROR", { details: [{ path: "amount", message }] });
}

/**
 * The least amount in a fiat currency whose price at this rate, see {@link priceInFiat}, covers an amount of a coin above zero, as text.
 * It is a multiple of the currency's smallest unit.
 */
export function fiatCovering(amount: Amount, rate: string, currency: FiatCurrency): string {
  const unit = unitOf(currency);
  // A price is rounded up, so more than one millionth less of the coin is enough.
  const units = ((amount - 1n) * RATE_SCALE) / (parseRate(rate) * unit) + 1n;
  return formatAmount(amountFromUnits(units * unit));
}

/** The amount that is worth as much at another rate. Rounded down. */
export function requotedRoundedDown(amount: Amount, rate: string, otherRate: string): Amount {
  return amountFromUnits((amount * parseRate(otherRate)) / parseRate(rate));
}

function dividedRoundedUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** A quote of one order. `chainTime` is the time of the newest block that was scanned when the quote was locked, if any. */
export type OfferedQuote = {
  readonly rateE10: bigint;
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
    (lowest, quote) => (lowest === undefined || quote.rateE10 < lowest.rateE10 ? quote : lowest),
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
