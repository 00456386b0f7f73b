import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { preparePostgres } from "@daric/testing/postgres-global-setup";
import { usdtHex } from "./chain/payments.ts";
import { createSimDatabase } from "./database.ts";
import { isSimMutant, type SimMutant, simMutants } from "./mutants.ts";
import { liesToTell } from "./node/lies.ts";
import { runSeed, type SeedOutcome } from "./run-seed.ts";

const USAGE = `npm run sim -- [--seeds N] [--from S] [--seed S] [--mutant ${Object.keys(simMutants).join("|")}] [--lie NAME] [--json]`;

type Task = {
  readonly seeds: readonly number[];
  readonly mutant: SimMutant | undefined;
  /** part of the name of the only lie that is told for good */
  readonly lie: string | undefined;
  readonly isJson: boolean;
};

const task = readTask();
if (task === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const failed = await playAll(task);
  const summary = {
    seeds: task.seeds.length,
    failed: failed.length,
    firstFailingSeed: failed[0] ?? null,
    commit: commitOf(),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function readTask(): Task | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: "string", default: "50" },
        from: { type: "string", default: "1" },
        seed: { type: "string" },
        mutant: { type: "string" },
        lie: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const { mutant } = values;
    if (mutant !== undefined && !isSimMutant(mutant)) return undefined;
    const [first, count] = values.seed === undefined ? [values.from, values.seeds] : [values.seed, "1"];
    const seeds = Array.from({ length: Number(count) }, (_, place) => Number(first) + place);
    return seeds.every(Number.isSafeInteger)
      ? { seeds, mutant, lie: values.lie, isJson: values.json }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Plays them side by side, each lane on a database of its own; answers the seeds that failed, in order. */
async function playAll({ seeds, mutant, lie, isJson }: Task): Promise<number[]> {
  const { postgres, stop } = await preparePostgres();
  const failed: number[] = [];
  const told = new Map<string, number>();
  const waiting = [...seeds];
  const started = performance.now();
  try {
    const lanes = Math.min(seeds.length, availableParallelism());
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        const database = await createSimDatabase(postgres, mutant && simMutants[mutant]);
        for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
          const outcome = await runSeed(database, seed, lie);
          if (outcome.faults.length > 0) failed.push(seed);
          for (const [lie, times] of outcome.told) told.set(lie, (told.get(lie) ?? 0) + times);
          if (!isJson && (outcome.faults.length > 0 || seeds.length === 1)) tell(outcome);
        }
        await database.drop();
      }),
    );
  } finally {
    await stop();
  }
  const each = (performance.now() - started) / 1_000 / seeds.length;
  if (!isJson) {
    const lies = [...told.values()].reduce((sum, times) => sum + times, 0);
    const unheard = liesToTell(usdtHex)
      .filter(({ name }) => !told.has(name))
      .map(({ name }) => name);
    process.stdout.write(`${seeds.length} seeds, ${each.toFixed(2)} s each; ${lies} lies told\n`);
    if (unheard.length > 0) process.stdout.write(`never told: ${unheard.join("; ")}\n`);
  }
  return failed.sort((a, b) => a - b);
}

function tell({ seed, faults, trace }: SeedOutcome): void {
  const lines = [...trace, ...faults.map((fault) => `  FAULT  ${fault}`)];
  const said =
    task?.seeds.length === 1 ? lines : [`seed ${seed}: ${faults[0]} (npm run sim -- --seed ${seed})`];
  process.stdout.write(said.map((line) => `${line}\n`).join(""));
}

function commitOf(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
