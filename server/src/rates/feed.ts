import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "../chain/blocks/node-error.ts";
import type { HttpText } from "../chain/nodes/http-json.ts";
import type { Currency } from "../domain/money.ts";
import type { SourceAnswer } from "./answer.ts";
import type { RatesContext } from "./context.ts";
import { fetchRate } from "./fetch-rate.ts";
import type { SourceState } from "./rate-verdict.ts";
import type { Pair, SourceName } from "./sources.ts";

/** One source of one currency, asked again and again by itself: what another one does never delays it. */
export type Feed = {
  /** what is known of it now */
  state(): SourceState;
  /** when it is asked next, by the monotonic clock */
  nextFetchMs(): number;
  /** Asks no more. What is under way ends with its connection. */
  stop(): Promise<void>;
};

/** How often things are done, in ms. */
export type RatePace = {
  readonly fetchEveryMs: number;
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
  /** how often it is looked whether this minute's rate is kept already */
  readonly checkEveryMs: number;
};

/** Three tries before an answer is too old; after an outage a rate is back within the longest wait. */
export const usualPace: RatePace = {
  fetchEveryMs: 20_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 60_000,
  checkEveryMs: 5_000,
};

const MAX_DOUBLINGS = 10;

/** Begins to ask a source for a currency. */
export function startFeed(
  context: RatesContext,
  options: { source: SourceName; currency: Currency; pair: Pair; http: HttpText; pace: RatePace },
): Feed {
  const { clock, log, metrics } = context;
  const { source, currency, pair, http, pace } = options;
  const labels = { source, currency };
  const stopping = new AbortController();
  let answer: SourceAnswer | undefined;
  let changedMs: number | undefined;
  let failure: string | undefined;
  let failures = 0;
  let nextFetchMs = clock.monotonicMs();

  async function fetchNext(): Promise<number> {
    try {
      const result = await fetchRate(http, { pair, clock });
      if (answer !== undefined && answer.price !== result.price) changedMs = result.received.monotonicMs;
      answer = result;
      metrics.rateSourceSuccess.set(labels, answer.received.wallMs / 1_000);
      if (failures > 0) log.info({ ...labels, failures }, "a rate source answers again");
      failures = 0;
      failure = undefined;
      return fetchAgainMs(pace, 0);
    } catch (error) {
      if (stopping.signal.aborted) return 0;
      failures += 1;
      failure = error instanceof Error ? error.message : String(error);
      const reason = error instanceof NodeError ? error.fault : "unexpected_answer";
      metrics.rateSourceFailures.inc({ ...labels, reason });
      if (failures === 1)
        log.warn({ event: "rate_source_failed", ...labels, reason: failure }, "a rate source failed");
      return fetchAgainMs(pace, failures, error instanceof NodeError ? error.retryAfterMs : undefined);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ms = await fetchNext();
      nextFetchMs = clock.monotonicMs() + ms;
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    state: () => ({ source, quotedIn: pair.quotedIn, answer, changedMs, failure }),
    nextFetchMs: () => nextFetchMs,
    stop: async () => {
      stopping.abort();
      await http.close();
      await running;
    },
  };
}

/**
 * The wait after so many failures in a row, never below what the source asked for. Up to a fifth more by lot, so that
 * processes which began together do not ask together.
 */
export function fetchAgainMs(pace: RatePace, failures: number, retryAfterMs = 0): number {
  const backoffMs = pace.firstBackoffMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
  const planned = failures === 0 ? pace.fetchEveryMs : Math.min(backoffMs, pace.maxBackoffMs);
  return Math.max(planned, retryAfterMs) * (1 + 0.2 * Math.random());
}
