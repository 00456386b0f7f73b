const REPORT_EVERY_MS = 60_000;

/**
 * For what may happen many times a second: says the first time at once, and from then on once a minute at most, with how often
 * it happened since it was said last. `nowMs` is a monotonic clock.
 */
export function throttle<T = void>(
  nowMs: () => number,
  say: (times: number, latest: T) => void,
): (latest: T) => void {
  let times = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  return (latest) => {
    times += 1;
    if (nowMs() - saidMs < REPORT_EVERY_MS) return;
    say(times, latest);
    saidMs = nowMs();
    times = 0;
  };
}
