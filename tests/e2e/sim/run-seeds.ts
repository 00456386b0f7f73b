import type { ProvidedContext } from "vitest";
import { createSimDatabase } from "./database.ts";
import { type SimMutant, simMutants } from "./mutants.ts";
import { runSeed, type SeedOutcome } from "./run-seed.ts";

/** Parallel seeds: each waits for its database half of the time. */
const LANES = 4;

export type SeedPlan = {
  readonly seeds: readonly number[];
  /** the guard to remove first */
  readonly mutant?: SimMutant | undefined;
  /** the only lasting lie */
  readonly lie?: string | undefined;
  /** whether to run the remaining seeds after this one */
  goesOn?(outcome: SeedOutcome): boolean;
};

/** Runs seeds in parallel, each lane on a database of its own, and returns the results in order. */
export async function runSeeds(
  postgres: ProvidedContext["postgres"],
  { seeds, mutant, lie, goesOn = () => true }: SeedPlan,
): Promise<SeedOutcome[]> {
  const waiting = [...seeds];
  const outcomes: SeedOutcome[] = [];
  const lane = async (): Promise<void> => {
    const database = await createSimDatabase(postgres, mutant && simMutants[mutant]);
    try {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        const outcome = await runSeed(database, seed, lie);
        outcomes.push(outcome);
        if (!goesOn(outcome)) waiting.length = 0;
      }
    } finally {
      await database.drop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, seeds.length) }, lane));
  return outcomes.sort((a, b) => a.seed - b.seed);
}
