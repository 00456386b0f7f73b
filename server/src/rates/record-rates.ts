import { setTimeout as sleep } from "node:timers/promises";
import { type Currency, currencies } from "../domain/money.ts";
import { API_ANSWER_MS } from "../runtime/batch.ts";
import type { RatesContext } from "./context.ts";
import type { RateVerdict } from "./rate-verdict.ts";
import { findKeptRates, type KeptRates, storeRate } from "./store.ts";

/** What writes the rate of each minute down, and knows those that a new one is held against. */
export type Recorder = {
  /** of TRX; undefined until they were read */
  kept(): KeptRates | undefined;
  /** whether it has looked for them at all, with success or without */
  hasChecked(): boolean;
  stop(): Promise<void>;
};

const MINUTE_MS = 60_000;

type RecorderParts = {
  readonly verdictOf: (currency: Currency) => RateVerdict;
  /** whether the sources were all heard: until then a rate that is missing is nothing to speak of */
  readonly isSettled: () => boolean;
  /** short enough that no minute in which there is a rate is missed */
  readonly checkEveryMs: number;
};

/**
 * Begins to keep one rate a minute and currency: the first that is good in it, and none where there is none. What is
 * written and read in a minute is one statement each and no more, however often it looks.
 */
export function startRecorder(
  context: RatesContext,
  { verdictOf, isSettled, checkEveryMs }: RecorderParts,
): Recorder {
  const { clock, log, databaseOutage } = context;
  const db = context.db.answeringWithin(API_ANSWER_MS);
  const stopping = new AbortController();
  const storedIn = new Map<Currency, number>();
  const missing = new Set<Currency>();
  let kept: KeptRates | undefined;
  let readIn: number | undefined;
  let hasChecked = false;

  async function check(): Promise<void> {
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (readIn !== minute) {
      kept = await findKeptRates(db, "TRX");
      readIn = minute;
    }
    for (const currency of currencies) {
      const { rate, refusal } = verdictOf(currency);
      reportRefusal(currency, refusal);
      if (rate === undefined || storedIn.get(currency) === minute) continue;
      await storeRate(db, rate);
      storedIn.set(currency, minute);
    }
  }

  function reportRefusal(currency: Currency, refusal: string | undefined): void {
    if (refusal === undefined) {
      if (missing.delete(currency)) log.info({ currency }, "a rate is available again");
    } else if (isSettled() && !missing.has(currency)) {
      missing.add(currency);
      log.warn(
        { event: "rate_unavailable", currency, reason: refusal },
        "no rate is available: orders priced in USD are refused",
      );
    }
  }

  async function checkSafely(): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!databaseOutage.report(error))
        log.error(
          { event: "rate_not_recorded", err: error },
          "the rate of this minute was not recorded; it will be retried",
        );
    }
    hasChecked = true;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await checkSafely();
      await sleep(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    kept: () => kept,
    hasChecked: () => hasChecked,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
