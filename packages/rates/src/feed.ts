import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { SourceAnswer } from "./answer.ts";
import type { RatesContext } from "./context.ts";
import { fetchRate } from "./fetch-rate.ts";
import type { SourceState } from "./rate-verdict.ts";
import type { SourceHost } from "./source-host.ts";
import type { Pair, Priced, SourceName } from "./sources.ts";
import { isClosed } from "./weekend.ts";

/** One source of one price, polled by its own loop, so that sources never delay each other. */
export type Feed = {
  state(): SourceState;
  /** the time of the next call, by the monotonic clock */
  nextFetchMs(): number;
  /** Ends the loop. A running call ends with its connection. */
  stop(): Promise<void>;
};

export type RatePace = {
  readonly fetchEveryMs: number;
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly checkEveryMs: number;
};

/** Three calls fit into the life of an answer. After an outage the rate returns within the longest wait. */
export const usualPace: RatePace = {
  fetchEveryMs: 20_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 60_000,
  checkEveryMs: 5_000,
};

const MAX_DOUBLINGS = 10;
/** The market is not called meanwhile. */
const CLOSED = "the exchange markets are closed";

export function startFeed(
  context: RatesContext,
  options: { source: SourceName; priced: Priced; pair: Pair; host: SourceHost; pace: RatePace },
): Feed {
  const { clock, log, metrics } = context;
  const { source, priced, pair, host, pace } = options;
  const labels = { source, currency: priced };
  const stopping = new AbortController();
  let answer: SourceAnswer | undefined;
  let changedMs: number | undefined;
  let failure: string | undefined;
  let failures = 0;
  let nextFetchMs = clock.monotonicMs();

  async function fetchNext(): Promise<number> {
    if (isClosed(source, clock.now().getTime())) {
      answer = undefined;
      failure = CLOSED;
      return pace.fetchEveryMs;
    }
    try {
      const result = await fetchRate(host, { pair, clock });
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

  /** From the opening until the next call the market has not answered yet. */
  const failureNow = () =>
    failure === CLOSED && !isClosed(source, clock.now().getTime()) ? undefined : failure;
  const running = run();
  return {
    state: () => ({ source, quotation: pair.quotation, answer, changedMs, failure: failureNow() }),
    nextFetchMs: () => nextFetchMs,
    stop: async () => {
      stopping.abort();
      host.close();
      await running;
    },
  };
}

/**
 * The wait after this many failures in a row, never shorter than the source's Retry-After. A random fifth is added,
 * so that processes do not call at the same time.
 */
export function fetchAgainMs(pace: RatePace, failures: number, retryAfterMs = 0): number {
  const backoffMs = pace.firstBackoffMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
  const planned = failures === 0 ? pace.fetchEveryMs : Math.min(backoffMs, pace.maxBackoffMs);
  return Math.max(planned, retryAfterMs) * (1 + 0.2 * Math.random());
}
