import type { NetworkName } from "@daric/chain/nodes/networks";
import type { chainSettings } from "@daric/chain/nodes/settings";
import { currencies } from "@daric/domain/asset";
import type { ContextOf } from "@daric/runtime/context";
import { type ConfigOf, list, setting } from "@daric/runtime/setting";
import { Counter, Gauge, type Registry } from "prom-client";
import type { SourceVerdict } from "./rate-verdict.ts";
import {
  allPriced,
  type ChosenSources,
  defaultMarkets,
  faultOfChosen,
  type Priced,
  quorumOfSources,
  type SourceName,
  sourcesFor,
  sourcesOf,
} from "./sources.ts";

/** `USDT=kraken+coinbase`: the sources of a coin or a currency, joined as in the `source` of a quote. */
const chosenSources = list.transform((items, issue): Partial<ChosenSources> => {
  const chosen: Partial<Record<Priced, readonly SourceName[]>> = {};
  const refuse = (message: string) => issue.addIssue({ code: "custom", message });
  for (const item of items) {
    const [name = "", ...rest] = item.split("=");
    const currency = allPriced.find((known) => known === name.trim());
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
      "The sources of each coin's price in USD, two at least; a coin that is not named keeps its default. " +
      `There are, ${currencies.map((currency) => `for ${currency}: ${sourcesFor(currency).join(", ")}`).join("; ")}. ` +
      "A currency of prices may be named too, with three sources at least, as EUR=coinbase+kraken+okx; docs/prices.md lists them. " +
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

type RateConfig = {
  readonly chain: Pick<ConfigOf<typeof chainSettings, "api">, "network" | "nodeUrls">;
  readonly rates: ConfigOf<typeof rateSettings, "api">;
};

export type FetchContext = Pick<ContextOf<RateConfig>, "config" | "clock"> & {
  /** base URLs that replace those of the sources, for tests */
  readonly rateAddresses?: Partial<Readonly<Record<SourceName, string>>>;
};

export type RatesContext = FetchContext & ContextOf<RateConfig, RateMetrics>;

export type RateHealth = {
  /** of the oldest answer in the current rate; undefined without a rate */
  readonly ageMs: number | undefined;
  readonly sources: readonly SourceVerdict[];
};

type RateMetrics = ReturnType<typeof createRateMetrics>;

export function createRateMetrics(registers: Registry[]) {
  /** `list`: of what is polled; the keeper of a process sets it */
  const rateHealth = { list: (): readonly (readonly [Priced, RateHealth])[] => [] };
  new Gauge({
    name: "daric_rate_age_seconds",
    help: "Age of the current rate by currency; absent while there is none",
    labelNames: ["currency"],
    registers,
    collect() {
      this.reset();
      for (const [currency, { ageMs }] of rateHealth.list()) {
        if (ageMs !== undefined) this.set({ currency }, ageMs / 1_000);
      }
    },
  });
  new Gauge({
    name: "daric_rate_source_used",
    help: "1 while the current rate uses this source's price, 0 while the price is an outlier, too old or missing; absent while its market is closed",
    labelNames: ["source", "currency"],
    registers,
    collect() {
      this.reset();
      for (const [currency, { sources }] of rateHealth.list())
        for (const { source, verdict } of sources)
          if (verdict !== "closed") this.set({ source, currency }, verdict === "used" ? 1 : 0);
    },
  });
  new Gauge({
    name: "daric_rate_source_age_seconds",
    help: "Age of a source's last price by the source's own time; absent until it gives one",
    labelNames: ["source", "currency"],
    registers,
    collect() {
      this.reset();
      for (const [currency, { sources }] of rateHealth.list())
        for (const { source, ageMs } of sources)
          if (ageMs !== undefined) this.set({ source, currency }, ageMs / 1_000);
    },
  });
  return {
    rateHealth,
    rateSourceSuccess: new Gauge({
      name: "daric_rate_source_last_success_timestamp_seconds",
      help: "When a source of prices last gave one that could be read",
      labelNames: ["source", "currency"],
      registers,
    }),
    rateSourceFailures: new Counter({
      name: "daric_rate_source_failures_total",
      help: "Answers of sources of prices that were refused or did not come",
      labelNames: ["source", "currency", "reason"],
      registers,
    }),
  };
}
