import { AnswerError } from "../chain/blocks/read-json.ts";

/** 10^-8 USD, as the table `rates` keeps it. */
export const ONE_USD = 100_000_000n;

const DECIMALS = 8;
/** No coin of ours costs a million; a price that long, or with an exponent, is a mistake. */
const PRICE = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,30}))?$/;
/** A wider book says nothing about a price; as wide as sources may differ. */
const SPREAD_PERCENT = 1n;

/**
 * A price in 10^-8, read from its decimal text; what is finer is cut off, so that a price is never above what was said.
 *
 * @throws AnswerError for zero, a sign, an exponent, a comma, anything but a text, and a million or more.
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
 * @throws AnswerError where the bid is above the ask, or more than 1 % below it.
 */
export function readMiddle(bidValue: unknown, askValue: unknown): bigint {
  const bid = readPrice(bidValue, "the bid");
  const ask = readPrice(askValue, "the ask");
  if (bid > ask) throw new AnswerError("the bid is above the ask");
  if (areApart(bid, ask, SPREAD_PERCENT)) throw new AnswerError("bid and ask are too far apart");
  return (bid + ask) / 2n;
}

/** Whether two prices differ by more than so many percent of the lower one. */
export function areApart(one: bigint, other: bigint, percent: bigint): boolean {
  const [low, high] = one < other ? [one, other] : [other, one];
  return high * 100n > low * (100n + percent);
}

/**
 * The median; of an even number the mean of the middle two, cut off at 10^-8.
 *
 * @throws RangeError where there are no prices.
 */
export function medianOf(prices: readonly bigint[]): bigint {
  const sorted = prices.toSorted(lowestFirst);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("nothing has no median");
  return (lower + upper) / 2n;
}

/** The order of prices, for sorting. */
export function lowestFirst(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
