import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * The rounds of a race of three works: every order, at once, one after the other and with short pauses. `npm run
 * race` runs more.
 */
export const raceRounds = Number(process.env.RACE_ROUNDS ?? 18);

/** The rounds of a race of two works, which have two orders. */
export const raceRoundsOfTwo = Number(process.env.RACE_ROUNDS ?? 6);

export const raceLimitMs = 60_000 + raceRounds * 1_000;

/** Each outcome must occur in this share of the rounds, or the race did not test it. */
const MIN_SHARE = 0.05;

/** The pauses between two starts. In every second round each work waits for the end of the previous one. */
const IN_TURN = "in turn";
const GAPS_MS = [0, IN_TURN, 3, IN_TURN, 20, IN_TURN] as const;
const JITTER = 0.2;
const SEED = 0x9e3779b9;

/**
 * Starts all works in an order and with pauses that the round's number determines. Rounds go through all orders and
 * pauses; a fifth of each pause is random.
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
    if (work === undefined) throw new RangeError(`no process is at place ${place}`);
    before = begin(work, place, before);
    started[at] = before;
  }
  return Promise.all(started) as Promise<{ -readonly [N in keyof Works]: Awaited<ReturnType<Works[N]>> }>;
}

export function countOutcomes<const Outcome extends string>(race: string, outcomes: readonly Outcome[]) {
  const seen = new Map(outcomes.map((outcome) => [outcome, 0]));
  return {
    add: (outcome: Outcome) => {
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    },
    /** @throws AssertionError when an outcome is too rare, or unexpected. */
    requireEach: () => {
      const rounds = [...seen.values()].reduce((sum, count) => sum + count, 0);
      const shares = [...seen].map(
        ([outcome, count]) => `${outcome} ${((100 * count) / rounds).toFixed(1)} %`,
      );
      if (process.env.RACE_ROUNDS !== undefined)
        process.stdout.write(`${race}: ${rounds} rounds: ${shares.join(", ")}\n`);
      expect([...seen.keys()], race).toEqual([...outcomes]);
      expect(Math.min(...seen.values()), shares.join(", ")).toBeGreaterThanOrEqual(rounds * MIN_SHARE);
    },
  };
}

/** The permutation of this round; consecutive rounds go through all of them. */
function orderOf(round: number, count: number): number[] {
  const left = Array.from({ length: count }, (_, place) => place);
  let rest = round;
  return Array.from({ length: count }, () => {
    const [place = 0] = left.splice(rest % left.length, 1);
    rest = Math.floor(rest / (left.length + 1));
    return place;
  });
}

/** mulberry32: the same numbers in [0, 1) for the same seed on every machine. */
export function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
