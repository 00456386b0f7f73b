/** Public markets without keys, one name per company: two prices of one company count as one. */
export type MarketName =
  | "binance"
  | "bitfinex"
  | "bithumb"
  | "bitstamp"
  | "btcturk"
  | "coinbase"
  | "coingecko"
  | "coinjar"
  | "coinone"
  | "foxbit"
  | "gemini"
  | "gmo"
  | "independentreserve"
  | "kraken"
  | "mercadobitcoin"
  | "okx"
  | "paribu"
  | "swissquote"
  | "truefx"
  | "upbit";

/**
 * The two sides of a price: the priced one, and the one that it is in. A price in USDT, or of the dollar, is composed with the rate of USDT in USD of the same moment.
 * The last two are exchange rates.
 */
export type Quotation = "coin/USD" | "coin/USDT" | "USDT/fiat" | "USD/fiat" | "fiat/USD";

export type MarketPair<Q extends Quotation = Quotation> = {
  /** as the market's endpoint takes it */
  readonly name: string;
  readonly quotation: Q;
};

/** The pair of each market that has one. A pair is listed only if docs/decisions/0028 names the recorded answer. */
export type MarketPairs<Q extends Quotation = Quotation> = Readonly<
  Partial<Record<MarketName, MarketPair<Q>>>
>;

/** Makes pairs of one quotation. */
export function pairsIn<Q extends Quotation>(quotation: Q): (name: string) => MarketPair<Q> {
  return (name) => ({ name, quotation });
}
