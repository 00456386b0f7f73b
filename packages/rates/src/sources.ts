import { parseJsonTexts } from "@daric/chain/blocks/parse-json";
import type { NetworkName } from "@daric/chain/nodes/networks";
import { assets, type Currency, currencies } from "@daric/domain/asset";
import { type FiatCurrency, fiatCurrencies, type LocalCurrency, localCurrencies } from "@daric/domain/fiat";
import type { MarketName, MarketPairs, Quotation } from "@daric/domain/market";
import type { Rate } from "@daric/domain/rate";
import { fiatMarkets } from "./fiat-markets.ts";
import { markets } from "./markets.ts";
import { readDevnetRates, type Ticker } from "./read-ticker.ts";

/** The endpoint of a source for one price. */
export type Pair = {
  readonly path: string;
  readonly quotation: Quotation;
  /** whether it is an exchange rate of a market: it counts by its own time stamp */
  readonly isStamped: boolean;
  /** @throws AnswerError unless the text is a price of this very pair. */
  readonly read: (text: string) => Ticker;
};

export type SourceName = MarketName | "devnet";

/** A price that sources have: of a coin in USD, or of USDT in a currency other than USD. */
export type Priced = Currency | LocalCurrency;
export const allPriced: readonly Priced[] = [...currencies, ...localCurrencies];

export function isCoin(priced: Priced): priced is Currency {
  return currencies.some((coin) => coin === priced);
}

/** The pair of a price: a coin in USD, or USDT in a currency. */
export function quotedPair(priced: Priced): Pick<Rate, "currency" | "fiatCurrency"> {
  return isCoin(priced)
    ? { currency: priced, fiatCurrency: "USD" }
    : { currency: "USDT", fiatCurrency: priced };
}

export type ChosenSources = Readonly<Record<Priced, readonly SourceName[]>>;

/** Fewer markets of different companies price no currency. */
const MIN_MARKETS = 3;

/** Of a coin three independent markets; of a currency all that are listed. */
export const defaultMarkets: ChosenSources = perPriced((priced) =>
  isCoin(priced) ? assets[priced].rateSources : marketsOf(priced),
);

const devnetOnly: ChosenSources = perPriced(() => ["devnet"]);

/** A value for everything that has a price. */
export function perPriced<T>(make: (priced: Priced) => T): Readonly<Record<Priced, T>> {
  return Object.fromEntries(allPriced.map((priced) => [priced, make(priced)])) as Record<Priced, T>;
}

/** The pair of each market that prices it. */
export function pairsOf(priced: Priced): MarketPairs {
  return isCoin(priced) ? assets[priced].prices : fiatMarkets[priced].markets;
}

function marketsOf(priced: Priced): readonly MarketName[] {
  return Object.keys(pairsOf(priced)) as MarketName[];
}

/** All sources in alphabetical order. */
export function sourcesFor(priced: Priced): readonly SourceName[] {
  return [...marketsOf(priced), "devnet" as const].toSorted();
}

/** The endpoint of a source, if it has a price. The local chain's own source is no market, and its name in a quote shows that. */
export function pairOf(name: SourceName, priced: Priced): Pair | undefined {
  if (name === "devnet")
    return {
      path: "/devchain/rates",
      quotation: isCoin(priced) ? "coin/USD" : "USD/fiat",
      isStamped: false,
      read: (text) => readDevnetRates(parseJsonTexts(text), priced),
    };
  const pair = pairsOf(priced)[name];
  if (pair === undefined) return undefined;
  const { path, read, isCsv } = markets[name];
  const { name: pairName, quotation } = pair;
  const isStamped = quotation === "USD/fiat" || quotation === "fiat/USD";
  return {
    path: path(pairName),
    quotation,
    isStamped,
    read: (text) => read(isCsv ? text : parseJsonTexts(text), pairName),
  };
}

/** Whether a source has no prices while the exchange markets are closed. */
export function restsAtWeekends(name: SourceName): boolean {
  return name !== "devnet" && markets[name].restsAtWeekends === true;
}

/** The base URL of a source; the devnet's is its node. */
export function addressOf(name: SourceName, nodeUrls: readonly string[]): string {
  return name === "devnet" ? (nodeUrls[0] ?? "") : markets[name].baseUrl;
}

/** The sources of a network. `chosen` replaces those that it names. */
export function sourcesOf(network: NetworkName, chosen: Partial<ChosenSources>): ChosenSources {
  return { ...(network === "devnet" ? devnetOnly : defaultMarkets), ...chosen };
}

/** How many sources must agree: two, or one on the devnet, whose rate only it knows. */
export function quorumOfSources(sources: readonly SourceName[]): number {
  return sources.includes("devnet") ? 1 : 2;
}

/** How many sources there must be. */
function leastOf(priced: Priced, sources: readonly SourceName[]): number {
  return isCoin(priced) || sources.includes("devnet") ? quorumOfSources(sources) : MIN_MARKETS;
}

/** The currencies that can be priced: USD, and those with enough sources. */
export function priceableOf(sources: ChosenSources): readonly FiatCurrency[] {
  return fiatCurrencies.filter(
    (code) => code === "USD" || sources[code].length >= leastOf(code, sources[code]),
  );
}

/** The fault of these sources on this network, as a text that follows the setting's name. */
export function faultOfChosen(network: NetworkName, chosen: Partial<ChosenSources>): string | undefined {
  for (const priced of allPriced) {
    const sources = chosen[priced];
    if (sources === undefined) continue;
    const least = leastOf(priced, sources);
    if (sources.includes("devnet")) {
      if (network !== "devnet") return `may name devnet on the devnet alone, not on ${network}`;
      if (sources.length > 1) return `must name devnet alone for ${priced}: no market can agree with it`;
    } else if (sources.length < least) {
      const number = least === MIN_MARKETS ? "three" : "two";
      return `must name ${number} sources at least for ${priced}: an error of one alone would stay unseen`;
    }
  }
  return undefined;
}
