import { availableParallelism } from "node:os";
import { expect, inject, it } from "vitest";
import { createSimDatabase } from "./database.ts";
import { type SimMutant, simMutants } from "./mutants.ts";
import { runSeed, type SeedOutcome } from "./run-seed.ts";

/** Half a minute on two quiet cores. */
const PATIENCE_MS = 900_000;
/** Others, and more of them, by `npm run sim`. */
const SEEDS = 50;
/** A mutant that outlives so many would be worth a look. */
const SEEDS_PER_MUTANT = 30;

/** Plays seeds one after the other on a database of their own, while `goesOn` says so. */
async function playSeeds(
  seeds: readonly number[],
  options: { mutant?: SimMutant; goesOn?: (outcome: SeedOutcome) => boolean } = {},
): Promise<SeedOutcome[]> {
  const { mutant, goesOn = () => true } = options;
  const database = await createSimDatabase(inject("postgres"), mutant && simMutants[mutant]);
  const outcomes: SeedOutcome[] = [];
  try {
    for (const seed of seeds) {
      const outcome = await runSeed(database, seed);
      outcomes.push(outcome);
      if (!goesOn(outcome)) break;
    }
  } finally {
    await database.drop();
  }
  return outcomes;
}

const range = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

it(
  `whatever nodes, forks and deaths do, chain, books, events and statuses agree to the unit (${SEEDS} seeds)`,
  async () => {
    const lanes = Math.min(2, availableParallelism());
    const played = await Promise.all(
      range(lanes).map((lane) => playSeeds(range(SEEDS).filter((seed) => seed % lanes === lane % lanes))),
    );
    const failed = played.flat().filter(({ faults }) => faults.length > 0);
    expect(failed.map(({ seed, faults }) => `npm run sim -- --seed ${seed}: ${faults[0]}`)).toEqual([]);
  },
  PATIENCE_MS,
);

it.each(["no-unique-key", "no-outbox"] as const)(
  "a seed misses the guard that is gone: %s",
  async (mutant) => {
    const isSound = ({ faults }: SeedOutcome) => faults.length === 0;
    const outcomes = await playSeeds(range(SEEDS_PER_MUTANT), { mutant, goesOn: isSound });
    expect(outcomes.at(-1)?.faults).not.toEqual([]);
  },
);

it("a seed does the same again", async () => {
  const [[first], [second]] = [await playSeeds([7]), await playSeeds([7])];
  expect(second?.trace).toEqual(first?.trace);
});
