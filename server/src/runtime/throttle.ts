const REPORT_EVERY_MS = 60_000;

/**
 * Limits reports of a frequent event: the first at once, then at most one a minute with the number of events since.
 * `nowMs` is a monotonic clock.
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
