import { assets, type Currency, currencies } from "@daric/domain/asset";
import type { Rate } from "@daric/domain/rate";
import { ageMsOf, type Instant, isMoving, type SourceAnswer, stalenessOf } from "./answer.ts";
import { agreeingGroup } from "./consensus.ts";
import { medianOf, ONE_USD } from "./price.ts";
import { type Pair, quorumOfSources, type SourceName } from "./sources.ts";

export type SourceState = {
  readonly source: SourceName;
  readonly quotedIn: Pair["quotedIn"];
  /** the last readable answer; a later failure does not discard it before it is too old */
  readonly answer?: SourceAnswer | undefined;
  /** when its price last changed, by the monotonic clock */
  readonly changedMs?: number | undefined;
  /** why the last call failed, if it did */
  readonly failure?: string | undefined;
};

export type SourceVerdict = {
  readonly source: SourceName;
  readonly verdict: "used" | "outlier" | "stale" | "error";
  readonly why?: string;
  readonly usdE8?: bigint;
  readonly ageMs?: number;
};

/** The current rate of a currency, or the reason why there is none. */
export type RateVerdict = { readonly sources: readonly SourceVerdict[] } & (
  | { readonly rate: Rate; readonly refusal?: undefined }
  | { readonly rate?: undefined; readonly refusal: string }
);

export type Evidence = {
  readonly now: Instant;
  readonly states: Readonly<Record<Currency, readonly SourceState[]>>;
  /** the TRX rates stored in the last hour, in 10^-8 USD; undefined until they are read */
  readonly lastHour: readonly bigint[] | undefined;
  /** the TRX rate stored a day ago, in 10^-8 USD; undefined if there is none */
  readonly dayAgo?: bigint | undefined;
};

type Fresh = {
  readonly source: SourceName;
  readonly usdE8: bigint;
  readonly trueMs: number;
  /** the book is known not to be frozen */
  readonly isMoving: boolean;
};
type SourceResult = { readonly verdict: SourceVerdict; readonly fresh?: Fresh };

const FROZEN =
  "no source of the agreeing ones states its time, and none has changed its price in the last 10 minutes";
/** Wider than any loss from which a dollar token has recovered. */
const PEG_BAND = { from: 90_000_000n, to: 110_000_000n } as const;
const TRX_HOUR_PERCENT = 20n;
const TRX_DAY_PERCENT = 50n;

/**
 * The rate: the median of the largest group of fresh answers that agree, within the band of the currency. At least one answer
 * of the group must be known to move. Without a TRX rate of the last hour there is no band. Then every source must have
 * answered or failed, and all fresh answers must agree.
 */
export function rateVerdict(currency: Currency, evidence: Evidence): RateVerdict {
  const bases = new Map(
    basesOf(currency, evidence.states).map((base) => [base, rateVerdict(base, evidence).rate]),
  );
  const results = evidence.states[currency].map((states) =>
    sourceVerdict(states, evidence.now, (base) => bases.get(base)),
  );
  const fresh = results.flatMap((source) => source.fresh ?? []);
  const quorum = quorumOfSources(evidence.states[currency].map(({ source }) => source));
  const group = agreeingGroup(fresh, quorum);
  if (group === undefined) {
    const refusal = fresh.length < quorum ? tooFew(fresh.length, quorum) : "the sources do not agree";
    return { refusal, sources: results.map((source) => outside(source, refusal)) };
  }
  const usdE8 = medianOf(group.map((source) => source.usdE8));
  const isUnanimous = group.length === fresh.length && evidence.states[currency].every(isAnswered);
  const isFrozen = quorum > 1 && !group.some((source) => source.isMoving);
  const fault = isFrozen ? FROZEN : faultOfBand(currency, usdE8, { evidence, isUnanimous });
  if (fault !== undefined)
    return { refusal: fault, sources: results.map((source) => outside(source, fault)) };
  const isUsed = ({ fresh: price }: SourceResult) => group.some((member) => member === price);
  return {
    rate: {
      currency,
      usdE8,
      source: group
        .map(({ source }) => source)
        .toSorted()
        .join("+"),
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

/** The coins in which sources of this one give its price. */
export function basesOf(
  currency: Currency,
  states: Readonly<Record<Currency, readonly Pick<SourceState, "quotedIn">[]>>,
): readonly Currency[] {
  const quoted = new Set(states[currency].map(({ quotedIn }) => quotedIn));
  return currencies.filter((base) => base !== currency && [...quoted].some((code) => code === base));
}

/** `rateOf` converts a price in a coin. The result is as old as the older of both. */
function sourceVerdict(
  states: SourceState,
  now: Instant,
  rateOf: (base: Currency) => Rate | undefined,
): SourceResult {
  const { source, quotedIn, answer, failure, changedMs } = states;
  if (answer === undefined) return { verdict: { source, verdict: "error", why: failure ?? "not asked yet" } };
  const ageMs = ageMsOf(answer, now);
  const staleness = stalenessOf(answer, now);
  if (staleness !== undefined) {
    const why = failure === undefined ? staleness : `${staleness}: ${failure}`;
    return { verdict: { source, verdict: failure === undefined ? "stale" : "error", why, ageMs } };
  }
  const how = { source, isMoving: isMoving(answer, { changedMs, now }) };
  if (quotedIn === "USD") return counted({ ...how, usdE8: answer.price, trueMs: answer.trueMs }, ageMs);
  const base = rateOf(quotedIn);
  if (base === undefined)
    return { verdict: { source, verdict: "error", why: `priced in ${quotedIn}, which has no rate`, ageMs } };
  const trueMs = Math.min(answer.trueMs, base.fetchedAt.getTime());
  return counted({ ...how, usdE8: (answer.price * base.usdE8) / ONE_USD, trueMs }, ageMs);
}

function counted(fresh: Fresh, ageMs: number): SourceResult {
  return { verdict: { source: fresh.source, verdict: "used", usdE8: fresh.usdE8, ageMs }, fresh };
}

function outside({ verdict, fresh }: SourceResult, why: string): SourceVerdict {
  return fresh === undefined ? verdict : { ...verdict, verdict: "outlier", why };
}

function tooFew(fresh: number, quorum: number): string {
  return `${fresh} of the sources ${fresh === 1 ? "has" : "have"} a fresh price, and it takes ${quorum}`;
}

function faultOfBand(
  currency: Currency,
  usdE8: bigint,
  { evidence, isUnanimous }: { evidence: Evidence; isUnanimous: boolean },
): string | undefined {
  if (assets[currency].isPegged) {
    const isSane = usdE8 >= PEG_BAND.from && usdE8 <= PEG_BAND.to;
    return isSane ? undefined : "the price is outside of 0.90 to 1.10";
  }
  if (evidence.lastHour === undefined) return "the rates of the last hour are not known yet";
  if (evidence.lastHour.length === 0 && !isUnanimous)
    return "there is no rate of the last hour, and not all sources agree";
  if (evidence.lastHour.length > 0 && !isWithin(usdE8, medianOf(evidence.lastHour), TRX_HOUR_PERCENT))
    return `the price is not within ${TRX_HOUR_PERCENT} % of the last hour's`;
  const isNearDayAgo = evidence.dayAgo === undefined || isWithin(usdE8, evidence.dayAgo, TRX_DAY_PERCENT);
  return isNearDayAgo ? undefined : `the price is not within ${TRX_DAY_PERCENT} % of that of a day ago`;
}

function isWithin(usdE8: bigint, usual: bigint, percent: bigint): boolean {
  return usdE8 * 100n >= usual * (100n - percent) && usdE8 * 100n <= usual * (100n + percent);
}
