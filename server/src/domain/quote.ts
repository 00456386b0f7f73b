import { ApiError } from "./errors.ts";
import { amountFromUnits, centsOf } from "./money.ts";
import { type Fee, type FeeMode, type Price, priceOrder } from "./order.ts";

/** How long a payer may count on a quote. */
export const QUOTE_LOCK_MS = 600_000;
/** How old a rate may be that is locked, in the moment in which it is. */
export const MAX_LOCKED_RATE_AGE_MS = 60_000;
/** How long after its end a quote still judges deposits: a payer who began in time, and a chain that took its time. */
export const GRACE_AFTER_QUOTE_MS = 900_000;
/** How far a chain's clock may be behind the database's when a quote begins to hold. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** How much older than a block the stored rate may be that judges its deposits. */
export const MAX_STORED_RATE_AGE_MS = 3_600_000;

const RATE_SCALE = 10n ** 12n;
/** The largest amount that the contract's decimals can say. */
const LARGEST_UNITS = 10n ** 18n - 1n;

/** What a fiat amount costs at a rate. `rateE4` is units of the currency per 1 USD, in 10^-4. */
export type QuotedPrice = Price & { readonly rateE4: bigint };

/** Who pays which fee. */
export type FeeTerms = { readonly feeMode: FeeMode; readonly fee: Fee };

/** Units of a currency per 1 USD in 10^-4, of USD per unit in 10^-8: never less than the rate, so that the price is met. */
export function quoteRateRoundedUp(usdE8: bigint): bigint {
  return (RATE_SCALE + usdE8 - 1n) / usdE8;
}

/**
 * What so many USD, at most 2 decimals, cost at this rate: their cents times the rate in 10^-4 are minor units exactly,
 * and nothing is rounded but the rate and the payer's fee. Undefined where the sum has more than 12 digits before the point.
 */
export function priceInFiat(fiatAmount: string, usdE8: bigint, terms: FeeTerms): QuotedPrice | undefined {
  const rateE4 = quoteRateRoundedUp(usdE8);
  const expected = amountFromUnits(centsOf(fiatAmount) * rateE4);
  const price = priceOrder(expected, terms.feeMode, terms.fee);
  return (price.pay ?? price.expected) > LARGEST_UNITS ? undefined : { ...price, rateE4 };
}

/**
 * The price that a payer is offered, as {@link priceInFiat}.
 *
 * @throws VALIDATION_ERROR where the sum has more than 12 digits before the point.
 */
export function offerInFiat(fiatAmount: string, usdE8: bigint, terms: FeeTerms): QuotedPrice {
  const price = priceInFiat(fiatAmount, usdE8, terms);
  if (price !== undefined) return price;
  const message = "comes to more than 12 digits before the point at the rate of now";
  throw new ApiError("VALIDATION_ERROR", { details: [{ path: "amount", message }] });
}

/** A quote of one order, as far as it judges. `chainTime` is that of the newest block scanned as it was locked, if any. */
export type OfferedQuote = {
  readonly rateE4: bigint;
  readonly lockedAt: Date;
  readonly expiresAt: Date;
  readonly chainTime: Date | null;
};

/**
 * Which of an order's quotes, the oldest first, judges a deposit whose block was made then: of those that hold, the one with
 * the lowest due. Undefined where there is none. The amount and the fee of an order never change, so the lowest due is that
 * of the lowest rate.
 */
export function applicableQuote<Q extends OfferedQuote>(
  quotes: readonly Q[],
  blockTime: Date,
): Q | undefined {
  const time = blockTime.getTime();
  // Nobody could pay an order before its first quote: its address did not exist.
  const holding = quotes.filter(
    (quote, index) => (index === 0 || time >= holdsFromMs(quote)) && time <= holdsUntilMs(quote),
  );
  return holding.reduce<Q | undefined>(
    (lowest, quote) => (lowest === undefined || quote.rateE4 < lowest.rateE4 ? quote : lowest),
    undefined,
  );
}

/**
 * A block that is made after the lock may have a time before it, where the chain's clock is behind: what was scanned when the
 * quote was locked is older than any such block. More than a minute is no difference of clocks: then the scanner was behind.
 */
function holdsFromMs({ lockedAt, chainTime }: OfferedQuote): number {
  const locked = lockedAt.getTime();
  return Math.max(locked - MAX_CLOCK_DIFFERENCE_MS, Math.min(locked, chainTime?.getTime() ?? locked));
}

/** To the end of the grace, by the clock that was ahead as it was locked. */
function holdsUntilMs({ lockedAt, expiresAt, chainTime }: OfferedQuote): number {
  const ahead = Math.max(0, (chainTime?.getTime() ?? 0) - lockedAt.getTime());
  return expiresAt.getTime() + ahead + GRACE_AFTER_QUOTE_MS;
}
