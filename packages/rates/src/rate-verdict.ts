import { assets } from "@daric/domain/asset";
import type { Quotation } from "@daric/domain/market";
import { joinSources, type Rate } from "@daric/domain/rate";
import { ageMsOf, type Instant, isMoving, type SourceAnswer, stalenessOf } from "./answer.ts";
import { agreeingGroup } from "./consensus.ts";
import { medianOf, ONE_USD } from "./price.ts";
import { isCoin, type Priced, quorumOfSources, quotedPair, type SourceName } from "./sources.ts";
import type { KeptRates } from "./store.ts";
import { isClosed } from "./weekend.ts";

export type SourceState = {
  readonly source: SourceName;
  readonly quotation: Quotation;
  /** the last readable answer; a later failure does not discard it before it is too old */
  readonly answer?: SourceAnswer | undefined;
  /** when its price last changed, by the monotonic clock */
  readonly changedMs?: number | undefined;
  /** why the last call failed, if it did */
  readonly failure?: string | undefined;
};

export type SourceVerdict = {
  readonly source: SourceName;
  /** `closed`: its market is, until the weekend is over */
  readonly verdict: "used" | "outlier" | "stale" | "closed" | "error";
  readonly why?: string;
  /** of a coin in USD, and of USDT in another currency */
  readonly priceE8?: bigint;
  readonly ageMs?: number;
};

/** The current rate, or the reason why there is none. */
export type RateVerdict = { readonly sources: readonly SourceVerdict[] } & (
  | { readonly rate: Rate; readonly refusal?: undefined }
  | { readonly rate?: undefined; readonly refusal: string }
);

export type Evidence = {
  readonly now: Instant;
  readonly statesOf: (priced: Priced) => readonly SourceState[];
  /** the stored rates; undefined until they are read, and of a coin that is pegged */
  readonly keptOf: (priced: Priced) => KeptRates | undefined;
};

type Fresh = {
  readonly source: SourceName;
  readonly quotation: Quotation;
  readonly priceE8: bigint;
  readonly trueMs: number;
  /** the book is known not to be frozen */
  readonly isMoving: boolean;
};
type SourceResult = { readonly verdict: SourceVerdict; readonly fresh?: Fresh };

const FROZEN =
  "no source of the agreeing ones states its time, and none has changed its price in the last 10 minutes";
/** Wider than any loss from which a dollar token has recovered. */
const PEG_BAND = { from: 90_000_000n, to: 110_000_000n } as const;
/** How far a price may be from the median of the last hour's, in percent: of a coin, and of USDT in a currency. */
const HOUR_PERCENT = { coin: 20n, currency: 10n } as const;
const COIN_DAY_PERCENT = 50n;
/** The sources that must agree on a currency without a rate of the last hour. */
const FIRST_QUORUM = 3;

/**
 * The rate: the median of the largest group of fresh answers that agree, within its band. At least one answer of the group must be known
 * to move. Where USDT has markets in a currency and there are exchange rates, the group has some of both. Without a rate of the last hour
 * there is no band. Then all fresh answers must agree: of a coin every source must have answered or failed, of a currency three must agree.
 */
export function rateVerdict(priced: Priced, evidence: Evidence): RateVerdict {
  const { now } = evidence;
  const states = evidence.statesOf(priced);
  const tether = needsTether(states) ? rateVerdict("USDT", evidence).rate : undefined;
  const results = states.map((state) => sourceVerdict(state, now, tether));
  const fresh = results.flatMap((source) => source.fresh ?? []);
  const quorum = quorumOfSources(states.map(({ source }) => source));
  const group = agreeingGroup(fresh, quorum);
  if (group === undefined) {
    const refusal = fresh.length < quorum ? tooFew(fresh.length, quorum) : "the sources do not agree";
    return { refusal, sources: results.map((source) => outside(source, refusal)) };
  }
  const priceE8 = medianOf(group.map((source) => source.priceE8));
  const areAll = group.length === fresh.length;
  const isUnanimous = isCoin(priced)
    ? areAll && states.every(isAnswered)
    : areAll && (quorum === 1 || group.length >= FIRST_QUORUM);
  const fault =
    faultOfGroup(group, { states, fresh, quorum }) ?? faultOfBand(priced, priceE8, { evidence, isUnanimous });
  if (fault !== undefined)
    return { refusal: fault, sources: results.map((source) => outside(source, fault)) };
  const isUsed = ({ fresh: price }: SourceResult) => group.some((member) => member === price);
  const composed = group.some(({ quotation }) => isComposed(quotation)) ? tether : undefined;
  return {
    rate: {
      ...quotedPair(priced),
      priceE8,
      source: joinSources([
        ...group.map(({ source }) => source),
        ...(!isCoin(priced) && composed ? composed.source.split("+") : []),
      ]),
      fetchedAt: new Date(Math.min(...group.map(({ trueMs }) => trueMs))),
    },
    sources: results.map((source) =>
      isUsed(source) ? source.verdict : outside(source, "not within 1 % of the others"),
    ),
  };
}

/** Whether a source has answered or failed since the process started. */
export function isAnswered({ answer, failure }: SourceState): boolean {
  return answer !== undefined || failure !== undefined;
}

/** Whether some of these prices are composed with the price of USDT in USD. */
export function needsTether(states: readonly Pick<SourceState, "quotation">[]): boolean {
  return states.some(({ quotation }) => isComposed(quotation));
}

function isComposed(quotation: Quotation): boolean {
  return quotation !== "coin/USD" && quotation !== "USDT/fiat";
}

/** A price of a coin in USD, or of USDT in a currency. `tether` is the price of USDT in USD. Cut off at 10^-8. */
function composedPrice(price: bigint, quotation: Quotation, tether: bigint): bigint {
  switch (quotation) {
    case "coin/USD":
    case "USDT/fiat":
      return price;
    case "coin/USDT":
    case "USD/fiat":
      return (price * tether) / ONE_USD;
    case "fiat/USD":
      return (tether * ONE_USD) / price;
  }
}

/** A composed result is as old as the older of both prices. */
function sourceVerdict(state: SourceState, now: Instant, tether: Rate | undefined): SourceResult {
  const { source, quotation, answer, failure, changedMs } = state;
  if (isClosed(source, now.wallMs))
    return { verdict: { source, verdict: "closed", why: "opens on Sunday at 17:00 in New York" } };
  if (answer === undefined) return { verdict: { source, verdict: "error", why: failure ?? "not asked yet" } };
  const ageMs = ageMsOf(answer, now);
  const staleness = stalenessOf(answer, now);
  if (staleness !== undefined) {
    const why = failure === undefined ? staleness : `${staleness}: ${failure}`;
    return { verdict: { source, verdict: failure === undefined ? "stale" : "error", why, ageMs } };
  }
  if (answer.stampMs !== undefined && isClosed(source, answer.stampMs))
    return { verdict: { source, verdict: "stale", why: "quoted while the market was closed", ageMs } };
  const how = { source, quotation, isMoving: isMoving(answer, { changedMs, now }) };
  if (!isComposed(quotation)) return counted({ ...how, priceE8: answer.price, trueMs: answer.trueMs }, ageMs);
  if (tether === undefined)
    return {
      verdict: { source, verdict: "error", why: "needs the price of USDT, which has no rate", ageMs },
    };
  const trueMs = Math.min(answer.trueMs, tether.fetchedAt.getTime());
  return counted({ ...how, priceE8: composedPrice(answer.price, quotation, tether.priceE8), trueMs }, ageMs);
}

function counted(fresh: Fresh, ageMs: number): SourceResult {
  return { verdict: { source: fresh.source, verdict: "used", priceE8: fresh.priceE8, ageMs }, fresh };
}

function outside({ verdict, fresh }: SourceResult, why: string): SourceVerdict {
  return fresh === undefined ? verdict : { ...verdict, verdict: "outlier", why };
}

function tooFew(fresh: number, quorum: number): string {
  return `${fresh} of the sources ${fresh === 1 ? "has" : "have"} a fresh price, and it takes ${quorum}`;
}

/** Whether a price is of a market of USDT in the currency, or an exchange rate; a coin's is of neither kind. */
const KINDS = [
  ({ quotation }: Pick<Fresh, "quotation">) => quotation === "USDT/fiat",
  ({ quotation }: Pick<Fresh, "quotation">) => quotation === "USD/fiat" || quotation === "fiat/USD",
] as const;

function faultOfGroup(
  group: readonly Fresh[],
  { states, fresh, quorum }: { states: readonly SourceState[]; fresh: readonly Fresh[]; quorum: number },
): string | undefined {
  if (quorum > 1 && !group.some((source) => source.isMoving)) return FROZEN;
  for (const isKind of KINDS.filter((kind) => !group.some(kind))) {
    if (fresh.some(isKind)) return "the markets of USDT and the exchange rates differ by more than 1 %";
    if (states.some((state) => isKind(state) && !isAnswered(state)))
      return "the markets of USDT or the exchange rates have not answered yet";
  }
  return undefined;
}

function faultOfBand(
  priced: Priced,
  priceE8: bigint,
  { evidence, isUnanimous }: { evidence: Evidence; isUnanimous: boolean },
): string | undefined {
  const isOfCoin = isCoin(priced);
  if (isOfCoin && assets[priced].isPegged) {
    const isSane = priceE8 >= PEG_BAND.from && priceE8 <= PEG_BAND.to;
    return isSane ? undefined : "the price is outside of 0.90 to 1.10";
  }
  const kept = evidence.keptOf(priced);
  if (kept === undefined) return "the rates of the last hour are not known yet";
  const { lastHour, dayAgo } = kept;
  if (lastHour.length === 0 && !isUnanimous)
    return isOfCoin
      ? "there is no rate of the last hour, and not all sources agree"
      : "there is no rate of the last hour, and no three sources agree alone";
  const percent = HOUR_PERCENT[isOfCoin ? "coin" : "currency"];
  if (lastHour.length > 0 && !isWithin(priceE8, medianOf(lastHour), percent))
    return `the price is not within ${percent} % of the last hour's`;
  const isNearDayAgo = !isOfCoin || dayAgo === undefined || isWithin(priceE8, dayAgo, COIN_DAY_PERCENT);
  return isNearDayAgo ? undefined : `the price is not within ${COIN_DAY_PERCENT} % of that of a day ago`;
}

function isWithin(priceE8: bigint, usual: bigint, percent: bigint): boolean {
  return priceE8 * 100n >= usual * (100n - percent) && priceE8 * 100n <= usual * (100n + percent);
}
