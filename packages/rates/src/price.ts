import { AnswerError } from "@daric/chain/blocks/read-json";

/** A price of one in 10^-8, the unit of the table `rates`. */
export const ONE_USD = 100_000_000n;

const DECIMALS = 8;
/** At most six integer digits: no supported coin costs a million, so a longer price or an exponent is an error. */
const PRICE = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,30}))?$/;
/** A book with a wider spread gives no price. Sources may differ by as much. */
const SPREAD_PERCENT = 1n;

/**
 * Reads a decimal text as a price in 10^-8. Finer digits are cut off.
 *
 * @throws AnswerError for zero, a sign, an exponent, a comma, a million or more, and for anything but a text.
 */
export function readPrice(value: unknown, what: string): bigint {
  const [, whole, fraction = ""] = (typeof value === "string" && PRICE.exec(value)) || [];
  const price = whole === undefined ? 0n : BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
  if (price > 0n) return price;
  throw new AnswerError(`${what} is no price`);
}

/**
 * The middle of the book, cut off at 10^-8.
 *
 * @throws AnswerError if the bid is above the ask, or more than 1 % below it.
 */
export function readMiddle(bidValue: unknown, askValue: unknown): bigint {
  const bid = readPrice(bidValue, "the bid");
  const ask = readPrice(askValue, "the ask");
  if (bid > ask) throw new AnswerError("the bid is above the ask");
  if (areApart(bid, ask, SPREAD_PERCENT)) throw new AnswerError("bid and ask are too far apart");
  return (bid + ask) / 2n;
}

/** Whether two prices differ by more than this many percent of the lower one. */
export function areApart(one: bigint, other: bigint, percent: bigint): boolean {
  const [low, high] = one < other ? [one, other] : [other, one];
  return high * 100n > low * (100n + percent);
}

/**
 * The median; for an even number the mean of the middle two, cut off at 10^-8.
 *
 * @throws RangeError without prices.
 */
export function medianOf(prices: readonly bigint[]): bigint {
  const sorted = prices.toSorted(lowestFirst);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("no price has no median");
  return (lower + upper) / 2n;
}

export function lowestFirst(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
