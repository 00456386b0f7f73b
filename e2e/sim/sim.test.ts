import { expect, inject, it } from "vitest";
import { playSeeds } from "./play-seeds.ts";
import type { SeedOutcome } from "./run-seed.ts";

/** Half a minute on two quiet cores. */
const PATIENCE_MS = 900_000;
/** Others, and more of them, by `npm run sim`. */
const SEEDS = 50;
/** A mutant that outlives so many would be worth a look. */
const SEEDS_PER_MUTANT = 30;
/** Played once more. */
const AGAIN = 7;

const range = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
const isSound = ({ faults }: SeedOutcome) => faults.length === 0;

it(
  `whatever nodes, forks and deaths do, chain, books, events and statuses agree to the unit (${SEEDS} seeds), and a seed does the same again`,
  async () => {
    const played = await playSeeds(inject("postgres"), { seeds: [...range(SEEDS), AGAIN] });
    const failed = played.filter((outcome) => !isSound(outcome));
    expect(failed.map(({ seed, faults }) => `npm run sim -- --seed ${seed}: ${faults[0]}`)).toEqual([]);
    const [first, second] = played.filter(({ seed }) => seed === AGAIN);
    expect(second?.trace).toEqual(first?.trace);
  },
  PATIENCE_MS,
);

it.each(["no-unique-key", "no-outbox"] as const)(
  "a seed misses the guard that is gone: %s",
  async (mutant) => {
    const seeds = range(SEEDS_PER_MUTANT);
    const outcomes = await playSeeds(inject("postgres"), { seeds, mutant, goesOn: isSound });
    expect(outcomes.filter((outcome) => !isSound(outcome))).not.toEqual([]);
  },
  PATIENCE_MS,
);
