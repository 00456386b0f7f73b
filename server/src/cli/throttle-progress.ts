import type { Clock } from "../runtime/clock.ts";

/** What takes no longer than this needs no word of how far it is. */
const QUIET_MS = 3_000;

/** Says at most one line in three seconds, and none in the first three: the rest of them is dropped. */
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
