import type { Currency } from "./asset.ts";

/** What one unit of a currency was worth in USD: the median of the sources that `source` names. */
export type Rate = {
  readonly currency: Currency;
  /** USD per unit, in 10^-8 */
  readonly usdE8: bigint;
  /** the sources it was made of, in alphabetical order: `bitstamp+coinbase+kraken` */
  readonly source: string;
  /** when the oldest answer that it was made of was true */
  readonly fetchedAt: Date;
};

/**
 * The rate of a currency now.
 *
 * @throws RATE_UNAVAILABLE, with the seconds after which to ask again, where there is none to stand by.
 */
export type FindRate = (currency: Currency) => Promise<Rate>;
