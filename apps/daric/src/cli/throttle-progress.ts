import type { Clock } from "@daric/runtime/clock";

/** Faster commands print no progress. */
const QUIET_MS = 3_000;

/** Prints at most one line in three seconds, and none in the first three; drops the rest. */
export function throttleProgress(
  clock: Pick<Clock, "monotonicMs">,
  print: (line: string) => void,
): (line: string) => void {
  let printedAtMs = clock.monotonicMs();
  return (line) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - printedAtMs < QUIET_MS) return;
    printedAtMs = nowMs;
    print(line);
  };
}
