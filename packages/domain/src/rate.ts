import type { Currency } from "./asset.ts";
import type { FiatCurrency } from "./fiat.ts";

/** The price of one unit of a coin in a fiat currency. */
export type Rate = {
  readonly currency: Currency;
  readonly fiatCurrency: FiatCurrency;
  /** units of the fiat currency for 1 unit of the coin, in 10^-8 */
  readonly priceE8: bigint;
  /** the sources behind it in alphabetical order: `bitstamp+coinbase+kraken` */
  readonly source: string;
  /** the time of the oldest answer behind it */
  readonly fetchedAt: Date;
};

/** The start of the source of a rate that an operator imported. It values books, and prices nothing. */
export const IMPORT_PREFIX = "import:";

/** @throws RATE_UNAVAILABLE, with the seconds until a retry makes sense, while too few sources agree. */
export type FindRate = (currency: Currency, fiatCurrency: FiatCurrency) => Promise<Rate>;

/** The price of a coin in a currency, by the price of USDT in it, both by their own rules. Cut off at 10^-8. */
export function throughTether(coin: Rate, { local, tether }: { local: Rate; tether: Rate }): Rate {
  return {
    currency: coin.currency,
    fiatCurrency: local.fiatCurrency,
    priceE8: (coin.priceE8 * local.priceE8) / tether.priceE8,
    source: joinSources([coin, local, tether].flatMap(({ source }) => source.split("+"))),
    fetchedAt: [coin, local, tether].reduce((oldest, leg) =>
      leg.fetchedAt < oldest.fetchedAt ? leg : oldest,
    ).fetchedAt,
  };
}

/** The sources of a price, each once. */
export function joinSources(sources: readonly string[]): string {
  return [...new Set(sources)].toSorted().join("+");
}
