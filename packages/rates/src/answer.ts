import type { Clock } from "@daric/runtime/clock";

export type SourceAnswer = {
  /** in 10^-8 of the pair's quote currency */
  readonly price: bigint;
  /** the source's stated time, or else the receipt less the cache's age; in ms since 1970 */
  readonly trueMs: number;
  /** whether the source states the time of its answer */
  readonly isTimed: boolean;
  /** of an exchange rate: its own time stamp, in ms since 1970 */
  readonly stampMs?: number | undefined;
  /** when the last byte arrived, by both clocks */
  readonly received: Instant;
};

/** A moment by the wall clock, which can be set, and by the monotonic clock. */
export type Instant = { readonly wallMs: number; readonly monotonicMs: number };

/** The age up to which an answer counts. */
const FRESH_MS = 60_000;
/** The age of the time stamp of an exchange rate up to which it counts: a quiet market quotes less often than it answers. */
const STAMP_MS = 600_000;
/** How long the price of a source without a stated time may stand still. */
const MOVING_MS = 600_000;
/** A larger drift between both clocks means that the wall clock was set or the machine slept. */
const MAX_DRIFT_MS = 5_000;

export function instantOf(clock: Clock): Instant {
  return { wallMs: clock.now().getTime(), monotonicMs: clock.monotonicMs() };
}

/** The age of an answer by the clock that shows the larger one. */
export function ageMsOf(
  { trueMs, received }: Pick<SourceAnswer, "trueMs" | "received">,
  now: Instant,
): number {
  const kept = Math.max(now.wallMs - received.wallMs, now.monotonicMs - received.monotonicMs);
  return Math.max(0, kept + received.wallMs - trueMs);
}

/** Why an answer no longer counts; undefined while it does. */
export function stalenessOf(answer: SourceAnswer, now: Instant): string | undefined {
  const { received } = answer;
  const drift = now.wallMs - received.wallMs - (now.monotonicMs - received.monotonicMs);
  if (Math.abs(drift) > MAX_DRIFT_MS) return "this machine's clock was set since";
  if (ageMsOf(answer, now) > FRESH_MS) return `older than ${FRESH_MS / 1_000} s`;
  const { stampMs = answer.trueMs } = answer;
  const isOld = ageMsOf({ trueMs: stampMs, received }, now) > STAMP_MS;
  return isOld ? `its time stamp is older than ${STAMP_MS / 60_000} minutes` : undefined;
}

/** Whether a source states the time of its answers, or changed its price (at `changedMs`, monotonic) in the last ten minutes. */
export function isMoving(
  { isTimed }: SourceAnswer,
  { changedMs, now }: { changedMs: number | undefined; now: Instant },
): boolean {
  return isTimed || (changedMs !== undefined && now.monotonicMs - changedMs <= MOVING_MS);
}
