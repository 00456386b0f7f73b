import { expect, inject, it } from "vitest";
import type { SeedOutcome } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

const PATIENCE_MS = 900_000;
/** The seeds in which a mutant must fail once. */
const SEEDS_PER_MUTANT = 30;

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const isSound = ({ faults }: SeedOutcome) => faults.length === 0;

it.each(["no-unique-key", "no-outbox", "no-waiting"] as const)(
  "a seed fails without the guard: %s",
  async (mutant) => {
    const seeds = range(SEEDS_PER_MUTANT);
    const outcomes = await runSeeds(inject("postgres"), { seeds, mutant, goesOn: isSound });
    expect(outcomes.filter((outcome) => !isSound(outcome))).not.toEqual([]);
  },
  PATIENCE_MS,
);
