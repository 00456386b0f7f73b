import type { ContextOf } from "../../runtime/context.ts";

/** What is done again and again for as long as it wants to be, never twice at the same time. */
export type PollTimer = {
  /** Does it within so many milliseconds, from the start of the last time on; a time that is earlier already stays. */
  within(ms: number): void;
  /** Does it no more, until it is asked for again. What is under way ends. */
  stop(): void;
};

/** `step` answers how many milliseconds after its start it is to be done again; undefined where it need not. */
export function createPollTimer(
  clock: ContextOf["clock"],
  step: () => Promise<number | undefined>,
): PollTimer {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let startedMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;

  function arm(): void {
    clearTimeout(timer);
    if (isRunning || dueMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(run, Math.max(0, dueMs - clock.monotonicMs()));
  }

  async function run(): Promise<void> {
    isRunning = true;
    dueMs = Number.POSITIVE_INFINITY;
    startedMs = clock.monotonicMs();
    const againMs = await step();
    isRunning = false;
    if (againMs !== undefined) dueMs = Math.min(dueMs, startedMs + againMs);
    arm();
  }

  return {
    within(ms) {
      const wantedMs = Math.max(startedMs, clock.monotonicMs()) + ms;
      if (wantedMs >= dueMs) return;
      dueMs = wantedMs;
      arm();
    },
    stop() {
      dueMs = Number.POSITIVE_INFINITY;
      arm();
    },
  };
}
