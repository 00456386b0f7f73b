import type { SimDatabase } from "./database.ts";
import type { SimTime } from "./time.ts";
import type { SimWatcher } from "./watcher.ts";

/** The time of a seed. */
export type SimRun = {
  /**
   * Advances the time, and runs every due watcher; one that waits for a node continues to wait.
   *
   * @throws Error for a failure that no watcher may have.
   */
  advanceTo(ms: number): Promise<void>;
  /** Runs this work alone, without a time limit. @throws Error from the work. */
  finish<T>(deed: Promise<T>): Promise<T>;
};

/** The most wake-ups without progress of time: a watcher that loops without waiting has a bug. */
const MAX_WAKES = 10_000;

type Stage = {
  readonly time: SimTime;
  readonly watchers: readonly SimWatcher[];
  /** the start of the watchers' monotonic clocks */
  readonly startMs: number;
  readonly database: Pick<SimDatabase, "setElapsed">;
};

export function createSimRun({ time, watchers, startMs, database }: Stage): SimRun {
  let failure: { readonly error: unknown } | undefined;

  function nextPoll(): { watcher: SimWatcher | undefined; atMs: number } {
    const [watcher] = watchers
      .filter((watcher) => !watcher.isPolling())
      .sort((a, b) => a.nextPollMs() - b.nextPollMs());
    return {
      watcher,
      atMs: watcher === undefined ? Number.POSITIVE_INFINITY : startMs + watcher.nextPollMs(),
    };
  }

  /** The database's clock moves with all others. */
  async function moveTo(ms: number): Promise<void> {
    const before = time.nowMs();
    if (ms > before) await database.setElapsed(ms - startMs);
    time.moveTo(ms);
  }

  return {
    advanceTo: async (ms) => {
      for (;;) {
        const { watcher, atMs } = nextPoll();
        const isPoll = atMs <= time.nextMs();
        if (Math.min(atMs, time.nextMs()) > ms) break;
        await moveTo(Math.min(atMs, time.nextMs()));
        if (isPoll) {
          watcher?.poll().catch((error: unknown) => {
            failure ??= { error };
          });
        }
        await time.settled();
        if (failure !== undefined) throw failure.error;
      }
      await moveTo(ms);
    },
    finish: async (deed) => {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      deed.then(end, end);
      for (let wakes = 0; wakes < MAX_WAKES; wakes += 1) {
        await time.settled();
        if (isOver) return deed;
        if (time.nextMs() === Number.POSITIVE_INFINITY) break;
        await moveTo(time.nextMs());
      }
      throw new TypeError("a watcher waits without a cause");
    },
  };
}
