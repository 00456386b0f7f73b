import type { NodeError } from "@daric/chain/blocks/node-error";
import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import type { Database } from "@daric/postgres/sql";
import { instantOf } from "./answer.ts";
import type { FetchContext } from "./context.ts";
import { fetchRate } from "./fetch-rate.ts";
import { type RateVerdict, rateVerdict, type SourceState } from "./rate-verdict.ts";
import { openSource } from "./source-host.ts";
import { pairOf, type SourceName, sourcesOf } from "./sources.ts";
import { findKeptRates } from "./store.ts";

/** Calls every configured source once, in parallel, and returns the verdict that a quote would get now. */
export async function checkRates(
  context: FetchContext & { readonly db: Database },
): Promise<Readonly<Record<Currency, RateVerdict>>> {
  const { config, clock, db } = context;
  const sources = sourcesOf(config.chain.network, config.rates.sources);
  const queryCurrency = (currency: Currency) =>
    Promise.all(sources[currency].map((source) => queryMarket(context, source, currency)));
  const [kept, queried] = await Promise.all([
    findKeptRates(db, "TRX"),
    Promise.all(currencies.map(async (currency) => [currency, await queryCurrency(currency)] as const)),
  ]);
  const found = new Map(queried);
  const states = perCurrency((currency) => found.get(currency) ?? []);
  const evidence = { now: instantOf(clock), states, ...kept };
  return perCurrency((currency) => rateVerdict(currency, evidence));
}

async function queryMarket(
  context: FetchContext,
  source: SourceName,
  currency: Currency,
): Promise<SourceState> {
  const pair = pairOf(source, currency);
  if (pair === undefined) return { source, quotedIn: "USD", failure: `has no price of ${currency}` };
  const host = openSource(context, source);
  const { quotedIn } = pair;
  try {
    return { source, quotedIn, answer: await fetchRate(host, { pair, clock: context.clock }) };
  } catch (error) {
    return { source, quotedIn, failure: (error as NodeError).message };
  }
}
