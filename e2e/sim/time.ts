import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers, { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Database } from "@daric/postgres/sql";

/** The time of one seed. It stands still while anything is under way, and passes only when it is told to. */
export type SimTime = {
  nowMs(): number;
  /** Resolves when it is so much later. */
  sleep(ms: number): Promise<void>;
  /** when the next sleeper wakes */
  nextMs(): number;
  /** It is this time now, unless it is later; those who have slept enough wake. */
  moveTo(ms: number): void;
  /** Resolves when all that goes on has ended, or sleeps. */
  settled(): Promise<void>;
  /** The same database, on whose answers this time waits. */
  waitingOn(db: Database): Database;
  /** Runs it in this time: whoever waits in it by `node:timers/promises` waits by this clock. */
  within<T>(work: () => Promise<T>): Promise<T>;
};

/** Whatever goes on with neither the database nor a sleep is over after as many turns of the loop. */
const TURNS_TO_REST = 4;

const timeOfSeed = new AsyncLocalStorage<SimTime>();
const realSleep = timers.setTimeout;

// What a step waits for a node is measured by timers, and seeds beside each other have each a time of its own.
timers.setTimeout = (async (ms?: number, value?: unknown, options?: object) => {
  const time = timeOfSeed.getStore();
  if (time === undefined) return realSleep(ms, value, options);
  await time.sleep(ms ?? 0);
  return value;
}) as typeof realSleep;
syncBuiltinESMExports();

export function createSimTime(startMs: number): SimTime {
  let nowMs = startMs;
  let sleepers: { readonly untilMs: number; wake(): void }[] = [];
  let begun = 0;
  let underWay = 0;
  let atRest = (): void => {};

  async function during<T>(work: () => Promise<T>): Promise<T> {
    begun += 1;
    underWay += 1;
    try {
      return await timeOfSeed.exit(work);
    } finally {
      underWay -= 1;
      if (underWay === 0) atRest();
    }
  }

  const time: SimTime = {
    nowMs: () => nowMs,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ untilMs: nowMs + ms, wake });
      }),
    nextMs: () => sleepers.reduce((first, { untilMs }) => Math.min(first, untilMs), Number.POSITIVE_INFINITY),
    moveTo: (ms) => {
      nowMs = Math.max(nowMs, ms);
      const awake = sleepers.filter(({ untilMs }) => untilMs <= nowMs);
      sleepers = sleepers.filter(({ untilMs }) => untilMs > nowMs);
      for (const { wake } of awake.sort((a, b) => a.untilMs - b.untilMs)) wake();
    },
    settled: async () => {
      for (let turns = 0, before = begun; turns < TURNS_TO_REST; turns += 1) {
        if (underWay > 0) {
          await new Promise<void>((resolve) => {
            atRest = resolve;
          });
        }
        await turnOfTheLoop();
        if (underWay > 0 || begun !== before) [turns, before] = [-1, begun];
      }
    },
    waitingOn: (db) => ({
      ...db,
      query: (statement) => during(() => db.query(statement)),
      transaction: (work) => during(() => db.transaction((tx) => timeOfSeed.run(time, () => work(tx)))),
    }),
    within: (work) => timeOfSeed.run(time, work),
  };
  return time;
}
