const REPORT_EVERY_MS = 60_000;

/**
 * For what may happen many times a second: says the first time at once, and from then on once a minute at most, with how often
 * it happened since it was said last. `nowMs` is a monotonic clock.
 */
export function throttle<T = void>(
  nowMs: () => number,
  report: (times: number, latest: T) => void,
): (latest: T) => void {
  let times = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (latest) => {
    times += 1;
    if (nowMs() - reportedMs < REPORT_EVERY_MS) return;
    report(times, latest);
    reportedMs = nowMs();
    times = 0;
  };
}
