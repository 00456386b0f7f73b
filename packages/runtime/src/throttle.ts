const REPORT_EVERY_MS = 60_000;

/** Reports an event at once, then at most once a minute with its count. `nowMs` is a monotonic clock. */
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
