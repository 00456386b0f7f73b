import type { Clock } from "../runtime/clock.ts";

/** What takes no longer than this needs no word of how far it is. */
const QUIET_MS = 3_000;

/** Says at most one line in three seconds, and none in the first three: the rest of them is dropped. */
export function throttleProgress(
  clock: Pick<Clock, "monotonicMs">,
  say: (line: string) => void,
): (line: string) => void {
  let saidAtMs = clock.monotonicMs();
  return (line) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - saidAtMs < QUIET_MS) return;
    saidAtMs = nowMs;
    say(line);
  };
}
