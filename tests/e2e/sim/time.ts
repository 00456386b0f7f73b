import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers, { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Database } from "@daric/postgres/sql";

/** The time of one seed. It stops while work is under way, and advances on command. */
export type SimTime = {
  nowMs(): number;
  /** Resolves after this time. */
  sleep(ms: number): Promise<void>;
  /** when the next sleeper wakes */
  nextMs(): number;
  /** Sets the time unless it is later; due sleepers wake. */
  moveTo(ms: number): void;
  /** Resolves when all work has ended or sleeps. */
  settled(): Promise<void>;
  /** Wraps the database, so that this time stands still until it answers. */
  waitingOn(db: Database): Database;
  /** Runs work in this time: `node:timers/promises` uses this clock inside it. */
  within<T>(work: () => Promise<T>): Promise<T>;
};

/** Work without database and sleep ends within this many turns of the event loop. */
const TURNS_TO_REST = 4;

const timeOfSeed = new AsyncLocalStorage<SimTime>();
const realSleep = timers.setTimeout;

// The service waits for nodes by timers, and parallel seeds have separate times.
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
