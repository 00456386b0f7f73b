import type { NetworkName } from "../chain/nodes/networks.ts";
import { type Currency, currencies } from "../domain/asset.ts";
import { list, setting } from "../runtime/setting.ts";
import {
  type ChosenSources,
  defaultMarkets,
  faultOfChosen,
  quorumOfSources,
  type SourceName,
  sourcesFor,
  sourcesOf,
} from "./sources.ts";

/** `USDT=kraken+coinbase`: the sources of a currency, joined as in the `source` of a quote. */
const chosenSources = list.transform((items, issue): Partial<ChosenSources> => {
  const chosen: Partial<Record<Currency, readonly SourceName[]>> = {};
  const refuse = (message: string) => issue.addIssue({ code: "custom", message });
  for (const item of items) {
    const [name = "", ...rest] = item.split("=");
    const currency = currencies.find((known) => known === name.trim());
    const names = rest
      .join("=")
      .split("+")
      .map((name) => name.trim());
    if (currency === undefined || rest.length === 0) {
      refuse(`must look like ${textOf(defaultMarkets)}, not ${JSON.stringify(item)}`);
    } else if (chosen[currency] !== undefined) {
      refuse(`names the sources of ${currency} twice`);
    } else {
      const known = sourcesFor(currency);
      const unknown = names.find((name) => !known.some((source) => source === name));
      if (unknown !== undefined)
        refuse(`names ${JSON.stringify(unknown)} for ${currency}; there are ${known.join(", ")}`);
      if (new Set(names).size < names.length)
        refuse(`names one source of ${currency} twice: two prices of one company are one opinion`);
      chosen[currency] = known.filter((source) => names.includes(source));
    }
  }
  return chosen;
});

function textOf(sources: ChosenSources): string {
  return currencies.map((currency) => `${currency}=${sources[currency].join("+")}`).join(",");
}

export const rateSettings = {
  sources: setting({
    env: "RATE_SOURCES",
    read: chosenSources.prefault(""),
    default: textOf(defaultMarkets),
    roles: ["api"],
    meaning:
      "The sources of each currency's price in USD, two at least; a currency that is not named keeps its default. " +
      `There are, ${currencies.map((currency) => `for ${currency}: ${sourcesFor(currency).join(", ")}`).join("; ")}. ` +
      "On devnet the default is the local chain's own source, devnet, which stands alone and only there.",
  }),
};

/** The fault of a set of sources on this network, although each source is valid by itself. */
export function faultOfSources(
  network: NetworkName | undefined,
  chosen: Partial<ChosenSources> | undefined,
): string | undefined {
  if (network === undefined || chosen === undefined) return undefined;
  const fault = faultOfChosen(network, chosen);
  return fault && `${rateSettings.sources.env} ${fault}`;
}

/** Warns of currencies that lose their rate as soon as one source is away. */
export function warningOfSources(
  network: NetworkName | undefined,
  chosen: Partial<ChosenSources> | undefined,
): string | undefined {
  if (network === undefined || network === "devnet" || chosen === undefined) return undefined;
  const sources = sourcesOf(network, chosen);
  const short = currencies.filter(
    (currency) => sources[currency].length === quorumOfSources(sources[currency]),
  );
  if (short.length === 0) return undefined;
  return `${rateSettings.sources.env} names two sources for ${short.join(" and ")}: while one is away, orders in USD are refused`;
}
