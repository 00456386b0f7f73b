/** The source of time; tests inject their own. */
export type Clock = {
  now(): Date;
  /** milliseconds of a monotonic clock, for timeouts and durations */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
