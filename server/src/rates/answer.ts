import type { Clock } from "../runtime/clock.ts";

/** What a source said, and when it was true. */
export type SourceAnswer = {
  /** in 10^-8 of what the pair is quoted in */
  readonly price: bigint;
  /**
   * by its own word or, where it says none, when it was received less what a cache says of its age; in ms since 1970
   */
  readonly trueMs: number;
  /** the source says when it made this answer */
  readonly isTimed: boolean;
  /** when the last byte of it had come, by both clocks */
  readonly received: Instant;
};

/** A moment by the wall clock, which can be set, and by the one that only goes forward. */
export type Instant = { readonly wallMs: number; readonly monotonicMs: number };

/** An answer counts for so long. */
const FRESH_MS = 60_000;
/** A price of a source that states no time may stand still for so long. */
const MOVING_MS = 600_000;
/** Both clocks run alike but for this much; more, and somebody has set the wall clock or the machine has slept. */
const MAX_DRIFT_MS = 5_000;

/** This moment. */
export function instantOf(clock: Clock): Instant {
  return { wallMs: clock.now().getTime(), monotonicMs: clock.monotonicMs() };
}

/** How old an answer is, by the clock that says more. */
export function ageMsOf({ trueMs, received }: SourceAnswer, now: Instant): number {
  const kept = Math.max(now.wallMs - received.wallMs, now.monotonicMs - received.monotonicMs);
  return Math.max(0, kept + received.wallMs - trueMs);
}

/** Why an answer does not count now, in words; undefined while it does. */
export function stalenessOf(answer: SourceAnswer, now: Instant): string | undefined {
  const { received } = answer;
  const drift = now.wallMs - received.wallMs - (now.monotonicMs - received.monotonicMs);
  if (Math.abs(drift) > MAX_DRIFT_MS) return "this machine's clock was set since";
  return ageMsOf(answer, now) > FRESH_MS ? `older than ${FRESH_MS / 1_000} s` : undefined;
}

/**
 * Whether a source is known to be no frozen book: it states the time of its answers, or `changedMs`, when its price was last heard
 * to change by the monotonic clock, is ten minutes ago at most.
 */
export function isMoving(
  { isTimed }: SourceAnswer,
  { changedMs, now }: { changedMs: number | undefined; now: Instant },
): boolean {
  return isTimed || (changedMs !== undefined && now.monotonicMs - changedMs <= MOVING_MS);
}
