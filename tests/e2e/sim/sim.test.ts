import { expect, inject, it } from "vitest";
import type { SeedOutcome } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

const PATIENCE_MS = 300_000;
/** `npm run sim` runs more and other seeds. */
const SEEDS = 1;
/** This seed runs twice. */
const AGAIN = 1;

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const isSound = ({ faults }: SeedOutcome) => faults.length === 0;

it(
  `under any faults of nodes, forks and crashes, chain, database, events and statuses agree to the unit (seeds: ${SEEDS}), and a seed repeats exactly`,
  async () => {
    const played = await runSeeds(inject("postgres"), { seeds: [...range(SEEDS), AGAIN] });
    const failed = played.filter((outcome) => !isSound(outcome));
    expect(failed.map(({ seed, faults }) => `npm run sim -- --seed ${seed}: ${faults[0]}`)).toEqual([]);
    const [first, second] = played.filter(({ seed }) => seed === AGAIN);
    expect(second?.trace).toEqual(first?.trace);
  },
  PATIENCE_MS,
);
