import { setTimeout as sleep } from "node:timers/promises";
import { type Currency, currencies } from "@daric/domain/asset";
import { API_ANSWER_MS } from "@daric/runtime/batch";
import type { RatesContext } from "./context.ts";
import type { RateVerdict } from "./rate-verdict.ts";
import { findKeptRates, type KeptRates, storeRate } from "./store.ts";

/** Stores one rate per minute and currency, and reads the stored TRX rates that limit new ones. */
export type Recorder = {
  /** of TRX; undefined until they are read */
  kept(): KeptRates | undefined;
  /** whether a first attempt to read them has ended */
  hasChecked(): boolean;
  stop(): Promise<void>;
};

const MINUTE_MS = 60_000;

type RecorderParts = {
  readonly verdictOf: (currency: Currency) => RateVerdict;
  /** whether every source has answered or failed; before that a missing rate is not logged */
  readonly isSettled: () => boolean;
  /** well below a minute, so that no minute is missed */
  readonly checkEveryMs: number;
};

/**
 * Starts to store the first rate of each minute and currency. Each minute costs one read, and one write per currency,
 * however often the loop checks.
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
