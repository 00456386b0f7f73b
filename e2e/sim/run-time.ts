import type { SimDatabase } from "./database.ts";
import type { SimTime } from "./time.ts";
import type { SimWatcher } from "./watcher.ts";

/** What goes on in a seed beside those who act. */
export type SimRun = {
  /**
   * Time passes until then, and every watcher looks when it wants to; one that waits for a node goes on waiting.
   *
   * @throws Error what no watcher may fail with.
   */
  advanceTo(ms: number): Promise<void>;
  /** Nothing else happens, whatever time it takes. @throws Error as the deed does. */
  finish<T>(deed: Promise<T>): Promise<T>;
};

/** A watcher that waits for nobody, and does not end, is a fault of ours. */
const MAX_WAKES = 10_000;

type Stage = {
  readonly time: SimTime;
  readonly watchers: readonly SimWatcher[];
  /** when the watchers' monotonic clocks began */
  readonly startMs: number;
  readonly database: Pick<SimDatabase, "setElapsed">;
};

export function createSimRun({ time, watchers, startMs, database }: Stage): SimRun {
  let failure: { readonly error: unknown } | undefined;

  function nextPoll(): { watcher: SimWatcher | undefined; atMs: number } {
    const [watcher] = watchers
      .filter((one) => !one.isPolling())
      .sort((a, b) => a.nextPollMs() - b.nextPollMs());
    return {
      watcher,
      atMs: watcher === undefined ? Number.POSITIVE_INFINITY : startMs + watcher.nextPollMs(),
    };
  }

  /** The database's clock goes on with all others. */
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
      throw new TypeError("somebody waits for nothing");
    },
  };
}
