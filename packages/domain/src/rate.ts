import type { Currency } from "./asset.ts";

/** The USD price of one unit of a currency: the median of several sources. */
export type Rate = {
  readonly currency: Currency;
  /** USD per unit, in 10^-8 */
  readonly usdE8: bigint;
  /** the sources of the median in alphabetical order: `bitstamp+coinbase+kraken` */
  readonly source: string;
  /** the time of the oldest answer in the median */
  readonly fetchedAt: Date;
};

/** @throws RATE_UNAVAILABLE, with the seconds until a retry makes sense, while too few sources agree. */
export type FindRate = (currency: Currency) => Promise<Rate>;
