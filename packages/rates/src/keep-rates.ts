import { setTimeout as sleep } from "node:timers/promises";
import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { FindRate } from "@daric/domain/rate";
import { instantOf } from "./answer.ts";
import type { RateHealth, RatesContext } from "./context.ts";
import { type Feed, type RatePace, startFeed, usualPace } from "./feed.ts";
import { basesOf, isAnswered, type RateVerdict, rateVerdict } from "./rate-verdict.ts";
import { startRecorder } from "./record-rates.ts";
import { openSource } from "./source-host.ts";
import { pairOf, sourcesOf } from "./sources.ts";

export type RateKeeper = {
  /** Answers at once. In the first moments of a process it waits for the sources, at most 3 s. */
  readonly findRate: FindRate;
  verdictOf(currency: Currency): RateVerdict;
  stop(): Promise<void>;
};

const CHECK_AGAIN_MS = 50;
const MAX_CHECKS = 60;
const MAX_RETRY_AFTER_SECONDS = 60;

/** Starts to poll all sources and to store a rate per minute. Each request computes the rate from the answers fresh then. */
export function startRateKeeper(context: RatesContext, pace: RatePace = usualPace): RateKeeper {
  const { clock, metrics } = context;
  const feeds = perCurrency((currency) => startFeeds(context, currency, pace));
  const allFeeds = Object.values(feeds).flat();
  const areAnswered = (): boolean => allFeeds.every((feed) => isAnswered(feed.state()));
  const recorder = startRecorder(context, {
    verdictOf,
    isSettled: areAnswered,
    checkEveryMs: pace.checkEveryMs,
  });

  function verdictOf(currency: Currency): RateVerdict {
    return rateVerdict(currency, {
      now: instantOf(clock),
      states: perCurrency((coin) => feeds[coin].map((feed) => feed.state())),
      lastHour: recorder.kept()?.lastHour,
      dayAgo: recorder.kept()?.dayAgo,
    });
  }

  async function findRate(currency: Currency) {
    let { rate } = verdictOf(currency);
    for (
      let checks = 0;
      rate === undefined && !(areAnswered() && recorder.hasChecked()) && checks < MAX_CHECKS;
      checks += 1
    ) {
      await sleep(CHECK_AGAIN_MS);
      ({ rate } = verdictOf(currency));
    }
    if (rate !== undefined) return rate;
    throw new ApiError("RATE_UNAVAILABLE", {
      retryAfterSeconds: secondsToNextAnswer(feedsBehind(currency, feeds), clock.monotonicMs()),
    });
  }

  for (const currency of currencies) metrics.rateHealth.set(currency, () => health(currency));

  function health(currency: Currency): RateHealth {
    const { rate, sources } = verdictOf(currency);
    return { ageMs: rate && Math.max(0, clock.now().getTime() - rate.fetchedAt.getTime()), sources };
  }

  return {
    findRate,
    verdictOf,
    stop: async () => {
      await Promise.all([recorder.stop(), ...allFeeds.map((feed) => feed.stop())]);
    },
  };
}

function startFeeds(context: RatesContext, currency: Currency, pace: RatePace): readonly Feed[] {
  const { network } = context.config.chain;
  return sourcesOf(network, context.config.rates.sources)[currency].flatMap((source) => {
    const pair = pairOf(source, currency);
    return pair === undefined
      ? []
      : startFeed(context, { source, currency, pair, host: openSource(context, source), pace });
  });
}

/** The feeds that a rate of this currency depends on: a price in another coin also needs that coin's rate. */
function feedsBehind(
  currency: Currency,
  feeds: Readonly<Record<Currency, readonly Feed[]>>,
): readonly Feed[] {
  const states = perCurrency((coin) => feeds[coin].map((feed) => feed.state()));
  return [currency, ...basesOf(currency, states)].flatMap((coin) => feeds[coin]);
}

/** The seconds until the next of these feeds is called, and one more for its answer. */
function secondsToNextAnswer(feeds: readonly Feed[], nowMs: number): number {
  const nextMs = Math.min(...feeds.map((feed) => feed.nextFetchMs())) - nowMs;
  return Math.min(Math.ceil(Math.max(nextMs, 0) / 1_000) + 1, MAX_RETRY_AFTER_SECONDS);
}
