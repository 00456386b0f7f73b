/** Results wait so long for others to be recorded with: while they come fast, and while they do not. */
const WAIT_MS = { fast: 100, slow: 5 };
/** Results come fast while more than so many came within a second. Due deliveries come in bursts, so a shorter time says nothing. */
const FAST = 500;
const WINDOW_MS = 1_000;

export type RecordingPace = {
  /** Notes a result that came now; returns how long it may wait for others. */
  waitMs(nowMs: number): number;
};

/**
 * The pace of recording. A kill of the process repeats the attempts that are not recorded, so few results wait for each other. Only
 * while many come, a statement for some of them at a time would cost more than the attempts.
 */
export function createRecordingPace(): RecordingPace {
  /** the times of the last results, the oldest one at `place` */
  const times = new Array<number>(FAST).fill(-Infinity);
  let place = 0;
  return {
    waitMs: (nowMs) => {
      const oldestMs = times[place] ?? -Infinity;
      times[place] = nowMs;
      place = (place + 1) % FAST;
      return nowMs - oldestMs < WINDOW_MS ? WAIT_MS.fast : WAIT_MS.slow;
    },
  };
}
