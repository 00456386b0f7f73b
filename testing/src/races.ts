import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * How often what happens at the same moment is tried: as often as three have orders, times the pauses between them.
 * `npm run race` tries more.
 */
export const raceRounds = Number(process.env.RACE_ROUNDS ?? 36);

/** How long all rounds of a race may take. */
export const raceLimitMs = 60_000 + raceRounds * 1_000;

/** The least share of the rounds in which each outcome has to be seen, so that none is proven by never happening. */
const LEAST_SHARE = 0.05;

/**
 * From all at once to one after the other. Every second time nobody begins before the one in front of him has ended: how
 * long a pause would have to be for that, only the machine knows.
 */
const IN_TURN = "in turn";
const GAPS_MS = [0, IN_TURN, 3, IN_TURN, 20, IN_TURN] as const;
const JITTER = 0.2;
const SEED = 0x9e3779b9;

/**
 * Starts all of them, in an order and with pauses between that the number of the round decides: rounds go through all
 * orders with each pause in turn, and a fifth more or less of it is drawn by lot.
 */
export function startTogether<const Works extends readonly (() => Promise<unknown>)[]>(
  round: number,
  works: Works,
): Promise<{ -readonly [N in keyof Works]: Awaited<ReturnType<Works[N]>> }> {
  const draw = diceOf(SEED + round);
  const orders = works.reduce((product, _, place) => product * (place + 1), 1);
  const gap = GAPS_MS[Math.floor(round / orders) % GAPS_MS.length] ?? 0;
  const places = orderOf(round, works.length);
  const begin = async (work: () => Promise<unknown>, place: number, before: Promise<unknown>) => {
    if (gap === IN_TURN) await before.catch(() => undefined);
    else await sleep(place * gap + draw() * gap * JITTER);
    return work();
  };
  const started: Promise<unknown>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  for (let place = 0; place < works.length; place += 1) {
    const at = places.indexOf(place);
    const work = works[at];
    if (work === undefined) throw new RangeError(`nobody is at place ${place}`);
    before = begin(work, place, before);
    started[at] = before;
  }
  return Promise.all(started) as Promise<{ -readonly [N in keyof Works]: Awaited<ReturnType<Works[N]>> }>;
}

/** Counts what a race came to. */
export function countOutcomes<const Outcome extends string>(race: string, outcomes: readonly Outcome[]) {
  const seen = new Map(outcomes.map((outcome) => [outcome, 0]));
  return {
    add: (outcome: Outcome) => {
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    },
    /** @throws AssertionError where an outcome was seen too seldom, or one that nobody expects at all. */
    requireEach: () => {
      const rounds = [...seen.values()].reduce((sum, count) => sum + count, 0);
      const shares = [...seen].map(
        ([outcome, count]) => `${outcome} ${((100 * count) / rounds).toFixed(1)} %`,
      );
      if (process.env.RACE_ROUNDS !== undefined)
        process.stdout.write(`${race}: ${rounds} rounds: ${shares.join(", ")}\n`);
      expect([...seen.keys()], race).toEqual([...outcomes]);
      expect(Math.min(...seen.values()), shares.join(", ")).toBeGreaterThanOrEqual(rounds * LEAST_SHARE);
    },
  };
}

/** The places of the first, the second and so on: another permutation from round to round, all of them in turn. */
function orderOf(round: number, count: number): number[] {
  const left = Array.from({ length: count }, (_, place) => place);
  let rest = round;
  return Array.from({ length: count }, () => {
    const [place = 0] = left.splice(rest % left.length, 1);
    rest = Math.floor(rest / (left.length + 1));
    return place;
  });
}

/** mulberry32: the same numbers in [0, 1) for the same seed, everywhere. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
