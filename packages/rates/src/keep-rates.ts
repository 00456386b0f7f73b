import { setTimeout as sleep } from "node:timers/promises";
import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { type FiatCurrency, fiatCurrencies, fiats } from "@daric/domain/fiat";
import { type FindRate, type Rate, throughTether } from "@daric/domain/rate";
import { instantOf } from "./answer.ts";
import type { RatesContext } from "./context.ts";
import { type Feed, type RatePace, usualPace } from "./feed.ts";
import { startPolling } from "./poll-prices.ts";
import { type RateVerdict, rateVerdict } from "./rate-verdict.ts";
import { startRecorder } from "./record-rates.ts";
import { type Priced, priceableOf, type SourceName, sourcesOf } from "./sources.ts";
import { isResting, secondsToOpening } from "./weekend.ts";

/** A currency of prices, as callers see it. */
export type CurrencyState = {
  readonly code: FiatCurrency;
  readonly decimals: number;
  readonly sources: readonly SourceName[];
  /** whether it can be priced now; null if that is not known, since no request asked in the last minute */
  readonly available: boolean | null;
  /** its exchange markets are closed */
  readonly resting: boolean;
};

export type RateKeeper = {
  /** Answers at once. In the first moments of a process, or of a currency, it waits for the sources, at most 3 s. */
  readonly findRate: FindRate;
  verdictOf(priced: Priced): RateVerdict;
  /** The polled prices: of the coins, and of the currencies that are of merchants' books or were asked for in the last hour. */
  watched(): readonly Priced[];
  /** All currencies. Asks no source. */
  currencies(): readonly CurrencyState[];
  stop(): Promise<void>;
};

type VerdictOf = RateKeeper["verdictOf"];

const CHECK_AGAIN_MS = 50;
const MAX_CHECKS = 60;
const MAX_RETRY_AFTER_SECONDS = 60;
/** The Retry-After of a currency that no setting prices. */
const UNPRICEABLE_SECONDS = 3_600;

/**
 * Starts to poll the sources of the coins and to store a rate per minute. A currency is polled while orders are priced in it, and as long as
 * a merchant keeps its books in it. Each request computes the rate from the answers fresh then.
 */
export function startRateKeeper(context: RatesContext, pace: RatePace = usualPace): RateKeeper {
  const { clock, config, metrics } = context;
  const sources = sourcesOf(config.chain.network, config.rates.sources);
  const priceable = priceableOf(sources);
  const polling = startPolling(context, { sources, pace });
  const verdictOf = (priced: Priced): RateVerdict =>
    rateVerdict(priced, { now: instantOf(clock), statesOf: polling.statesOf, keptOf: recorder.kept });
  const { polled: watched, isSettled } = polling;
  const recorder = startRecorder(context, {
    ...{ watched, verdictOf, isSettled, beforeCheck: polling.endUnwanted },
    ...{ keepBooks: polling.keepBooks, checkEveryMs: pace.checkEveryMs },
  });
  metrics.rateHealth.list = () =>
    watched().map((priced) => [priced, healthOf(verdictOf(priced), clock.now())]);
  const rests = (code: FiatCurrency) => code !== "USD" && isResting(sources[code], clock.now().getTime());

  async function findRate(currency: Currency, fiatCurrency: FiatCurrency): Promise<Rate> {
    if (!priceable.includes(fiatCurrency))
      throw new ApiError("RATE_UNAVAILABLE", { retryAfterSeconds: UNPRICEABLE_SECONDS });
    if (fiatCurrency !== "USD" && polling.ask(fiatCurrency)) recorder.begin(fiatCurrency);
    const parts = partsOf(currency, fiatCurrency);
    const isKnown = () => parts.every((part) => isSettled(part) && recorder.hasRead(part));
    let rate = currentRate(verdictOf, currency, fiatCurrency);
    for (let checks = 0; rate === undefined && !isKnown() && checks < MAX_CHECKS; checks += 1) {
      await sleep(CHECK_AGAIN_MS);
      rate = currentRate(verdictOf, currency, fiatCurrency);
    }
    if (rate !== undefined) return rate;
    const feeds = parts.flatMap(polling.feedsOf);
    throw rests(fiatCurrency)
      ? restError(fiatCurrency, secondsToOpening(clock.now().getTime()))
      : new ApiError("RATE_UNAVAILABLE", {
          retryAfterSeconds: secondsToNextAnswer(feeds, clock.monotonicMs()),
        });
  }

  function availability(code: FiatCurrency): boolean | null {
    if (code === "USD") return verdictOf("USDT").rate !== undefined;
    if (!priceable.includes(code)) return false;
    return polling.isAsked(code) ? verdictOf(code).rate !== undefined : null;
  }

  return {
    findRate,
    verdictOf,
    watched,
    currencies: () =>
      fiatCurrencies.map((code) => ({
        code,
        decimals: fiats[code].decimals,
        sources: sources[code === "USD" ? "USDT" : code],
        available: availability(code),
        resting: rests(code),
      })),
    stop: async () => {
      await Promise.all([recorder.stop(), polling.stop()]);
    },
  };
}

/** Undefined without a rate of one of its parts. */
function currentRate(verdictOf: VerdictOf, currency: Currency, fiatCurrency: FiatCurrency): Rate | undefined {
  if (fiatCurrency === "USD") return verdictOf(currency).rate;
  const local = verdictOf(fiatCurrency).rate;
  if (local === undefined || currency === "USDT") return local;
  const [coin, tether] = [verdictOf(currency).rate, verdictOf("USDT").rate];
  return coin && tether && throughTether(coin, { local, tether });
}

/** Everything that a rate may be composed of. */
function partsOf(currency: Currency, fiatCurrency: FiatCurrency): readonly Priced[] {
  const parts: readonly Priced[] = [currency, "USDT", ...(fiatCurrency === "USD" ? [] : [fiatCurrency])];
  return [...new Set(parts)];
}

function healthOf({ rate, sources }: RateVerdict, now: Date) {
  return { ageMs: rate && Math.max(0, now.getTime() - rate.fetchedAt.getTime()), sources };
}

function restError(code: FiatCurrency, retryAfterSeconds: number): ApiError {
  const message = `${code} rests: its exchange markets are closed until Sunday 17:00 in New York. Price the order in another currency.`;
  return new ApiError("RATE_UNAVAILABLE", { message, retryAfterSeconds });
}

/** The seconds until the next of these feeds is called, and one more for its answer. */
function secondsToNextAnswer(feeds: readonly Feed[], nowMs: number): number {
  const nextMs = Math.min(...feeds.map((feed) => feed.nextFetchMs())) - nowMs;
  return Math.min(Math.ceil(Math.max(nextMs, 0) / 1_000) + 1, MAX_RETRY_AFTER_SECONDS);
}
