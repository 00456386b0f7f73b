import type { NetworkName } from "@daric/chain/nodes/networks";
import {
  type Asset,
  assets,
  type Currency,
  currencies,
  type MarketName,
  type MarketPair,
  perCurrency,
} from "@daric/domain/asset";
import {
  readBinance,
  readBitfinex,
  readBitstamp,
  readCoinbase,
  readCoingecko,
  readDevnetRates,
  readGemini,
  readKraken,
  readOkx,
  type Ticker,
} from "./read-ticker.ts";

/** The endpoint of a source for one currency. */
export type Pair = {
  readonly path: string;
  readonly quotedIn: MarketPair["quotedIn"];
  /** @throws AnswerError unless the answer is a price of this very pair. */
  readonly read: (answer: unknown) => Ticker;
};

/** The endpoint of a market, for a pair by its name there. */
type Market = {
  readonly baseUrl: string;
  path(name: string): string;
  read(answer: unknown, name: string): Ticker;
};

const markets: Readonly<Record<MarketName, Market>> = {
  binance: {
    baseUrl: "https://data-api.binance.vision",
    path: (symbol) => `/api/v3/ticker/price?symbol=${symbol}`,
    read: readBinance,
  },
  bitfinex: {
    baseUrl: "https://api-pub.bitfinex.com",
    path: (symbol) => `/v2/tickers?symbols=${symbol}`,
    read: readBitfinex,
  },
  bitstamp: {
    baseUrl: "https://www.bitstamp.net",
    path: (pair) => `/api/v2/ticker/${pair}/`,
    read: readBitstamp,
  },
  coinbase: {
    baseUrl: "https://api.exchange.coinbase.com",
    path: (pair) => `/products/${pair}/ticker`,
    read: readCoinbase,
  },
  coingecko: {
    baseUrl: "https://api.coingecko.com",
    path: (id) => `/api/v3/simple/price?ids=${id}&vs_currencies=usd&include_last_updated_at=true`,
    read: readCoingecko,
  },
  gemini: {
    baseUrl: "https://api.gemini.com",
    path: (coin) => `/v1/pubticker/${coin.toLowerCase()}usd`,
    read: readGemini,
  },
  kraken: {
    baseUrl: "https://api.kraken.com",
    path: (coin) => `/0/public/Ticker?pair=${coin}USD`,
    read: readKraken,
  },
  okx: {
    baseUrl: "https://www.okx.com",
    path: (instrument) => `/api/v5/market/ticker?instId=${instrument}`,
    read: readOkx,
  },
};

/** The local chain's own source, served by the node. It is no market, and its name in a quote shows that. */
const devnetPairs = perCurrency(
  (currency): Pair => ({
    path: "/devchain/rates",
    quotedIn: "USD",
    read: (answer) => readDevnetRates(answer, currency),
  }),
);

export type SourceName = MarketName | "devnet";

export type ChosenSources = Readonly<Record<Currency, readonly SourceName[]>>;

/** Three independent markets each. */
export const defaultMarkets: ChosenSources = perCurrency((currency) => assets[currency].rateSources);

const devnetOnly: ChosenSources = perCurrency(() => ["devnet"]);

/** The sources of a currency in alphabetical order. */
export function sourcesFor(currency: Currency): readonly SourceName[] {
  const names = Object.keys(assets[currency].prices) as MarketName[];
  return [...names, "devnet" as const].toSorted();
}

/** The endpoint of a source for a currency, if it has one. */
export function pairOf(name: SourceName, currency: Currency): Pair | undefined {
  if (name === "devnet") return devnetPairs[currency];
  const prices: Asset["prices"] = assets[currency].prices;
  const pair = prices[name];
  if (pair === undefined) return undefined;
  const { path, read } = markets[name];
  return { path: path(pair.name), quotedIn: pair.quotedIn, read: (answer) => read(answer, pair.name) };
}

/** The base URL of a source; the devnet's is its node. */
export function addressOf(name: SourceName, nodeUrls: readonly string[]): string {
  return name === "devnet" ? (nodeUrls[0] ?? "") : markets[name].baseUrl;
}

/** The sources of a network. `chosen` replaces those of some currencies. */
export function sourcesOf(network: NetworkName, chosen: Partial<ChosenSources>): ChosenSources {
  return { ...(network === "devnet" ? devnetOnly : defaultMarkets), ...chosen };
}

/** How many sources must agree: two, or one on the devnet, whose rate only it knows. */
export function quorumOfSources(sources: readonly SourceName[]): number {
  return sources.includes("devnet") ? 1 : 2;
}

/** The fault of these sources on this network, as a text that follows the setting's name. */
export function faultOfChosen(network: NetworkName, chosen: Partial<ChosenSources>): string | undefined {
  for (const currency of currencies) {
    const sources = chosen[currency];
    if (sources === undefined) continue;
    if (sources.includes("devnet")) {
      if (network !== "devnet") return `may name devnet on the devnet alone, not on ${network}`;
      if (sources.length > 1) return `must name devnet alone for ${currency}: no market can agree with it`;
    } else if (sources.length < quorumOfSources(sources)) {
      return `must name two sources at least for ${currency}: an error of one alone would stay unseen`;
    }
  }
  return undefined;
}
