import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { preparePostgres } from "@daric/testing/postgres-global-setup";
import { usdtHex } from "./chain/payments.ts";
import { isSimMutant, type SimMutant, simMutants } from "./mutants.ts";
import { lastingLies } from "./node/lasting-lies.ts";
import { lateLies, liesAtStart } from "./node/late-lies.ts";
import { liesToInject } from "./node/lies.ts";
import type { SeedOutcome } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

const USAGE = `npm run sim -- [--seeds N] [--from S] [--seed S] [--mutant ${Object.keys(simMutants).join("|")}] [--lie NAME] [--json]`;

type Task = {
  readonly seeds: readonly number[];
  readonly mutant: SimMutant | undefined;
  /** the only lasting lie */
  readonly lie: string | undefined;
  readonly isJson: boolean;
};

const task = readTask();
if (task === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const failed = await runAll(task);
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
    const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
    return seeds.every(Number.isSafeInteger)
      ? { seeds, mutant, lie: values.lie, isJson: values.json }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the seeds, prints the findings, and returns the failed seeds. */
async function runAll({ seeds, mutant, lie, isJson }: Task): Promise<number[]> {
  const { postgres, stop } = await preparePostgres();
  const started = performance.now();
  const goesOn = (outcome: SeedOutcome): boolean => {
    if (!isJson && (outcome.faults.length > 0 || seeds.length === 1)) printOutcome(outcome);
    return true;
  };
  const outcomes = await runSeeds(postgres, { seeds, mutant, lie, goesOn }).finally(stop);
  const each = (performance.now() - started) / 1_000 / seeds.length;
  if (!isJson) summarize(outcomes, each);
  return outcomes.flatMap(({ seed, faults }) => (faults.length > 0 ? [seed] : []));
}

function summarize(outcomes: readonly SeedOutcome[], secondsEach: number): void {
  const injected = new Map<string, number>();
  for (const [name, times] of outcomes.flatMap((outcome) => [...outcome.injected]))
    injected.set(name, (injected.get(name) ?? 0) + times);
  const count = [...injected.values()].reduce((sum, times) => sum + times, 0);
  process.stdout.write(`${outcomes.length} seeds, ${secondsEach.toFixed(2)} s each; ${count} lies used\n`);
  const lies = [...liesToInject(usdtHex), ...lastingLies(usdtHex), ...lateLies, ...liesAtStart()].map(
    ({ name }) => name,
  );
  const unlogged = [...new Set(lies)].filter((name) => !injected.has(name));
  if (unlogged.length > 0) process.stdout.write(`never used: ${unlogged.join("; ")}\n`);
}

function printOutcome({ seed, faults, trace }: SeedOutcome): void {
  const lines = [...trace, ...faults.map((fault) => `  FAULT  ${fault}`)];
  const outcomeText =
    task?.seeds.length === 1 ? lines : [`seed ${seed}: ${faults[0]} (npm run sim -- --seed ${seed})`];
  process.stdout.write(outcomeText.map((line) => `${line}\n`).join(""));
}

function commitOf(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
