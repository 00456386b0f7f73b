import type { NetworkName } from "../chain/nodes/networks.ts";
import { assets, type Currency, currencies, perCurrency } from "../domain/asset.ts";
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
  /** a price in USDT is multiplied by the USDT/USD rate of the same moment */
  readonly quotedIn: "USD" | "USDT";
  /** @throws AnswerError unless the answer is a price of this very pair. */
  readonly read: (answer: unknown) => Ticker;
};

type Source = { readonly baseUrl: string } & Partial<Readonly<Record<Currency, Pair>>>;

const inUsd = (path: string, read: Pair["read"]): Pair => ({ path, quotedIn: "USD", read });
const inUsdt = (path: string, read: Pair["read"]): Pair => ({ path, quotedIn: "USDT", read });

/**
 * Public markets without keys, one entry per company: two prices of one company count as one. A pair is listed only if an
 * answer of its endpoint was recorded (docs/decisions/0007).
 */
const markets = {
  binance: {
    baseUrl: "https://data-api.binance.vision",
    USDT: inUsd("/api/v3/ticker/price?symbol=USDTUSD", (answer) => readBinance(answer, "USDTUSD")),
    TRX: inUsdt("/api/v3/ticker/price?symbol=TRXUSDT", (answer) => readBinance(answer, "TRXUSDT")),
  },
  bitfinex: {
    baseUrl: "https://api-pub.bitfinex.com",
    USDT: inUsd("/v2/tickers?symbols=tUSTUSD", (answer) => readBitfinex(answer, "tUSTUSD")),
    TRX: inUsd("/v2/tickers?symbols=tTRXUSD", (answer) => readBitfinex(answer, "tTRXUSD")),
  },
  bitstamp: {
    baseUrl: "https://www.bitstamp.net",
    USDT: inUsd("/api/v2/ticker/usdtusd/", readBitstamp),
  },
  coinbase: {
    baseUrl: "https://api.exchange.coinbase.com",
    USDT: inUsd("/products/USDT-USD/ticker", readCoinbase),
  },
  coingecko: {
    baseUrl: "https://api.coingecko.com",
    USDT: inUsd(coingeckoPath("tether"), (answer) => readCoingecko(answer, "tether")),
    TRX: inUsd(coingeckoPath("tron"), (answer) => readCoingecko(answer, "tron")),
  },
  gemini: {
    baseUrl: "https://api.gemini.com",
    USDT: inUsd("/v1/pubticker/usdtusd", (answer) => readGemini(answer, "USDT")),
  },
  kraken: {
    baseUrl: "https://api.kraken.com",
    USDT: inUsd("/0/public/Ticker?pair=USDTUSD", (answer) => readKraken(answer, "USDT")),
    TRX: inUsd("/0/public/Ticker?pair=TRXUSD", (answer) => readKraken(answer, "TRX")),
  },
  okx: {
    baseUrl: "https://www.okx.com",
    USDT: inUsd("/api/v5/market/ticker?instId=USDT-USD", (answer) => readOkx(answer, "USDT-USD")),
    TRX: inUsdt("/api/v5/market/ticker?instId=TRX-USDT", (answer) => readOkx(answer, "TRX-USDT")),
  },
} as const satisfies Readonly<Record<string, Source>>;

function coingeckoPath(id: string): string {
  return `/api/v3/simple/price?ids=${id}&vs_currencies=usd&include_last_updated_at=true`;
}

/** The local chain's own source, served by the node. It is no market, and its name in a quote shows that. */
const devnetPairs = perCurrency((currency) =>
  inUsd("/devchain/rates", (answer) => readDevnetRates(answer, currency)),
);

export type MarketName = keyof typeof markets;
export type SourceName = MarketName | "devnet";

export type ChosenSources = Readonly<Record<Currency, readonly SourceName[]>>;

/** Three independent markets each, of which at most one is priced in USDT. */
export const defaultMarkets: ChosenSources = perCurrency((currency) => assets[currency].rateSources);

const devnetOnly: ChosenSources = perCurrency(() => ["devnet"]);

/** The sources of a currency in alphabetical order. */
export function sourcesFor(currency: Currency): readonly SourceName[] {
  const names = Object.keys(markets) as MarketName[];
  return [...names.filter((name) => pairOf(name, currency) !== undefined), "devnet" as const].toSorted();
}

/** The endpoint of a source for a currency, if it has one. */
export function pairOf(name: SourceName, currency: Currency): Pair | undefined {
  const source: Omit<Source, "baseUrl"> = name === "devnet" ? devnetPairs : markets[name];
  return source[currency];
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
