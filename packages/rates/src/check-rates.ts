import type { NodeError } from "@daric/chain/blocks/node-error";
import type { Database } from "@daric/postgres/sql";
import { instantOf } from "./answer.ts";
import type { FetchContext } from "./context.ts";
import { fetchRate } from "./fetch-rate.ts";
import { type RateVerdict, rateVerdict, type SourceState } from "./rate-verdict.ts";
import { openSource } from "./source-host.ts";
import {
  allPriced,
  isCoin,
  type Priced,
  pairOf,
  priceableOf,
  type SourceName,
  sourcesOf,
} from "./sources.ts";
import { findKeptRates } from "./store.ts";

/** Calls every configured source once, in parallel, and returns the verdict that a quote would get now of each price that can be had. */
export async function checkRates(
  context: FetchContext & { readonly db: Database },
): Promise<ReadonlyMap<Priced, RateVerdict>> {
  const { config, clock, db } = context;
  const sources = sourcesOf(config.chain.network, config.rates.sources);
  const priceable = priceableOf(sources);
  const wanted = allPriced.filter((priced) => isCoin(priced) || priceable.includes(priced));
  const query = (priced: Priced) =>
    Promise.all(sources[priced].map((source) => queryMarket(context, source, priced)));
  const [kept, queried] = await Promise.all([
    findKeptRates(db, wanted),
    Promise.all(wanted.map(async (priced) => [priced, await query(priced)] as const)),
  ]);
  const found = new Map(queried);
  const evidence = {
    now: instantOf(clock),
    statesOf: (priced: Priced) => found.get(priced) ?? [],
    keptOf: (priced: Priced) => kept.get(priced),
  };
  return new Map(wanted.map((priced) => [priced, rateVerdict(priced, evidence)]));
}

async function queryMarket(context: FetchContext, source: SourceName, priced: Priced): Promise<SourceState> {
  const pair = pairOf(source, priced);
  if (pair === undefined) return { source, quotation: "coin/USD", failure: `has no price of ${priced}` };
  const host = openSource(context, source);
  const { quotation } = pair;
  try {
    return { source, quotation, answer: await fetchRate(host, { pair, clock: context.clock }) };
  } catch (error) {
    return { source, quotation, failure: (error as NodeError).message };
  }
}
