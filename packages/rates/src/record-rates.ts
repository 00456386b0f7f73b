import { setTimeout as sleep } from "node:timers/promises";
import { assets } from "@daric/domain/asset";
import type { LocalCurrency } from "@daric/domain/fiat";
import { API_ANSWER_MS } from "@daric/runtime/batch";
import type { RatesContext } from "./context.ts";
import type { RateVerdict } from "./rate-verdict.ts";
import { isCoin, type Priced } from "./sources.ts";
import { findKeptRates, type KeptRates, listBookCurrencies, storeRate } from "./store.ts";

/** Stores one rate per minute and price, and reads the stored rates that limit new ones. */
export type Recorder = {
  /** undefined until they are read */
  kept(priced: Priced): KeptRates | undefined;
  /** Reads at once what limits a price that is new here. */
  begin(priced: Priced): void;
  /** whether a first attempt to read its stored rates has ended */
  hasRead(priced: Priced): boolean;
  stop(): Promise<void>;
};

const MINUTE_MS = 60_000;

type RecorderParts = {
  readonly beforeCheck: () => void;
  /** Takes the currencies of merchants' books, once a minute, and returns those that it begins to poll. */
  readonly keepBooks: (books: readonly LocalCurrency[]) => readonly LocalCurrency[];
  /** what is polled now */
  readonly watched: () => readonly Priced[];
  readonly verdictOf: (priced: Priced) => RateVerdict;
  /** whether every source of it has answered or failed; before that a missing rate is not logged */
  readonly isSettled: (priced: Priced) => boolean;
  /** well below a minute, so that no minute is missed */
  readonly checkEveryMs: number;
};

/**
 * Starts to store the first rate of each minute and price. Each minute costs two reads, and one write per price,
 * however often the loop checks.
 */
export function startRecorder(
  context: RatesContext,
  { beforeCheck, keepBooks, watched, verdictOf, isSettled, checkEveryMs }: RecorderParts,
): Recorder {
  const { clock, log } = context;
  const db = context.db.answeringWithin(API_ANSWER_MS);
  const stopping = new AbortController();
  const storedIn = new Map<Priced, number>();
  const reportRefusal = createRefusalReport(log, isSettled);
  const read = new Set<Priced>();
  const kept = new Map<Priced, KeptRates>();
  let readIn: number | undefined;

  async function readKept(wanted: readonly Priced[]): Promise<void> {
    try {
      for (const [priced, rates] of await findKeptRates(db, wanted.filter(hasBand))) kept.set(priced, rates);
    } finally {
      for (const priced of wanted) read.add(priced);
    }
  }

  async function check(prices: readonly Priced[]): Promise<void> {
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (readIn !== minute) {
      for (const local of keepBooks(await listBookCurrencies(db))) begin(local);
      await readKept(prices);
      readIn = minute;
    }
    for (const priced of prices) {
      const { rate, refusal } = verdictOf(priced);
      reportRefusal(priced, refusal);
      if (rate === undefined || storedIn.get(priced) === minute) continue;
      await storeRate(db, rate);
      storedIn.set(priced, minute);
      const known = kept.get(priced);
      if (known) kept.set(priced, { ...known, lastHour: [rate.priceE8, ...known.lastHour] });
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      beforeCheck();
      await safely(context, () => check(watched()));
      await sleep(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const beginnings = new Set<Promise<void>>();
  function begin(priced: Priced): void {
    kept.delete(priced);
    read.delete(priced);
    const beginning = safely(context, () => readKept([priced])).finally(() => beginnings.delete(beginning));
    beginnings.add(beginning);
  }

  const running = run();
  return {
    kept: (priced) => kept.get(priced),
    begin,
    hasRead: (priced) => read.has(priced),
    stop: async () => {
      stopping.abort();
      await Promise.all([running, ...beginnings]);
    },
  };
}

async function safely({ log, databaseOutage }: RatesContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!databaseOutage.report(error))
      log.error(
        { event: "rate_not_recorded", err: error },
        "the rate of this minute was not recorded; it will be retried",
      );
  }
}

/** Logs when a price is missing, and when it is back. */
function createRefusalReport(log: RatesContext["log"], isSettled: RecorderParts["isSettled"]) {
  const missing = new Set<Priced>();
  return (currency: Priced, refusal: string | undefined): void => {
    if (refusal === undefined) {
      if (missing.delete(currency)) log.info({ currency }, "a rate is available again");
    } else if (isSettled(currency) && !missing.has(currency)) {
      missing.add(currency);
      log.warn(
        { event: "rate_unavailable", currency, reason: refusal },
        "no rate is available: orders whose price needs it are refused",
      );
    }
  };
}

/** Whether its own past limits it: a token follows the dollar, and its band is fixed. */
function hasBand(priced: Priced): boolean {
  return !isCoin(priced) || !assets[priced].isPegged;
}
