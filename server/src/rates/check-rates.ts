import type { Database } from "@daric/postgres/sql";
import type { NodeError } from "../chain/blocks/node-error.ts";
import type { Currency } from "../domain/money.ts";
import { instantOf } from "./answer.ts";
import { askSource, openSource } from "./ask-source.ts";
import type { AskingContext } from "./context.ts";
import { type Heard, type Judgement, judgeRate } from "./judge.ts";
import { pairOf, type SourceName, sourcesOf } from "./sources.ts";
import { findKeptRates } from "./store.ts";

/** Asks every source that is configured once, all at the same time, and says what a quote of now would be made of. */
export async function checkRates(
  context: AskingContext & { readonly db: Database },
): Promise<Readonly<Record<Currency, Judgement>>> {
  const { config, clock, db } = context;
  const sources = sourcesOf(config.chain.network, config.rates.sources);
  const hear = (currency: Currency) =>
    Promise.all(sources[currency].map((source) => hearSource(context, source, currency)));
  const [kept, USDT, TRX] = await Promise.all([findKeptRates(db, "TRX"), hear("USDT"), hear("TRX")]);
  const evidence = { now: instantOf(clock), heard: { USDT, TRX }, ...kept };
  return { USDT: judgeRate("USDT", evidence), TRX: judgeRate("TRX", evidence) };
}

async function hearSource(context: AskingContext, source: SourceName, currency: Currency): Promise<Heard> {
  const pair = pairOf(source, currency);
  if (pair === undefined) return { source, quotedIn: "USD", failure: `has no price of ${currency}` };
  const http = openSource(context, source);
  const { quotedIn } = pair;
  try {
    return { source, quotedIn, answer: await askSource(http, { pair, clock: context.clock }) };
  } catch (error) {
    return { source, quotedIn, failure: (error as NodeError).message };
  } finally {
    await http.close();
  }
}
