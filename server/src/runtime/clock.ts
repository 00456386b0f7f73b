/** Where time comes from. Injected, so that a test owns it. */
export type Clock = {
  /** the wall clock, for stamps that people read */
  now(): Date;
  /** milliseconds that never go backwards, for timeouts and durations */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
