import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import type { Done, Extent } from "./generator.ts";
import { processorTimeOf, processorTimeOfTree } from "./processor-time.ts";
import {
  type Bars,
  cpuUs,
  figureOf,
  isInconclusive,
  type Measure,
  passes,
  type Round,
  ratioOf,
  type Stretch,
  spreadOf,
} from "./verdict.ts";

/**
 * Unmeasured operations: the first 8,000 requests of a fresh process run at half speed, before their code is
 * compiled.
 */
export const WARM_UP = 10_000;

/** The defaults suffice for a verdict; lower values are for a quick look. */
export type Effort = {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  /** deliveries filled by `webhooks-history` */
  readonly deliveries: number;
  /** filled by `history-10m` */
  readonly orders: number;
};
export const effort: Effort = {
  rounds: 5,
  seconds: 5,
  warmUp: WARM_UP,
  orders: 10_000_000,
  deliveries: 10_000_000,
};

/** One side of a comparison, in a process of its own. */
export type Contestant = {
  readonly name: string;
  /** the process that does the work, or several */
  readonly pid: number | readonly number[];
  run(extent: Extent): Promise<Done>;
  /** Runs before each stretch and is not measured. */
  prepare?(): Promise<unknown>;
};

export type Comparison = {
  readonly ceiling: Contestant;
  readonly ours: Contestant;
  readonly measure: Measure;
  /** PostgreSQL's first process, if it takes part */
  readonly postgresPid: number | undefined;
};

export type Outcome = {
  /** the median of the rounds' ratios */
  readonly ratio: number;
  readonly ours: number;
  readonly ceiling: number;
  readonly cpu: {
    readonly ratio: number;
    readonly ours_us: number;
    readonly ceiling_us: number;
    readonly pg_us: number;
  };
  readonly rounds: number;
  readonly isInconclusive: boolean;
};

/** The result of a bench. `ours`, `ceiling` and `cpu` belong to the outcome with the bars. */
export type Result = Outcome & {
  readonly unit: string;
  readonly bars: Bars;
  /** "cpu" if the bars are for `cpu.ratio` */
  readonly measuredBy?: "cpu";
  /** false if the ratio is good and another condition is not */
  readonly holds?: boolean;
  /** other times that are published, in ms */
  readonly figures?: Readonly<Record<string, number>>;
};

export type Bench = {
  readonly name: string;
  /** the measured thing and its reference, in a line or two */
  readonly measures: string;
  readonly bar: string;
  run(effort: Effort): Promise<Result>;
};

/**
 * Warms up both, runs them in turn A B A B … A, and compares each B with the mean of the As around it. Prints each
 * round.
 */
export async function compare(comparison: Comparison, { rounds, seconds, warmUp }: Effort): Promise<Outcome> {
  const { ceiling, ours, measure } = comparison;
  for (const contestant of [ceiling, ours]) await contestant.run({ count: warmUp });
  const stretch = (contestant: Contestant) => measureStretch(contestant, comparison.postgresPid, { seconds });
  const done: Round[] = [];
  let before = await stretch(ceiling);
  for (let round = 1; round <= rounds; round += 1) {
    const middle = await stretch(ours);
    const after = await stretch(ceiling);
    done.push({ before, ours: middle, after });
    print(`  round ${round}: ${lineOf(ours.name, middle)}; ${lineOf(ceiling.name, after)}`);
    before = after;
  }
  return outcomeOf(done, measure);
}

/** Combines and prints the rounds. */
export function outcomeOf(rounds: readonly Round[], measure: Measure): Outcome {
  const ceilings = [...rounds.slice(0, 1).map(({ before }) => before), ...rounds.map(({ after }) => after)];
  const ours = rounds.map((round) => round.ours);
  const middle = (stretches: readonly Stretch[], of: (stretch: Stretch) => number) =>
    spreadOf(stretches.map(of)).median;
  const ratios = rounds.map((round) => ratioOf(round, measure));
  const { median, min, max } = spreadOf(ratios);
  const costs = spreadOf(rounds.map((round) => ratioOf(round, "cpu"))).median;
  print(`  ratio ${median.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)}) by ${measure}`);
  return {
    ratio: round3(median),
    ours: round3(middle(ours, (stretch) => figureOf(stretch, measure))),
    ceiling: round3(middle(ceilings, (stretch) => figureOf(stretch, measure))),
    cpu: {
      // The ratio has the direction of the bar: for rates it is the share of the ceiling's work per CPU.
      ratio: round3(measure === "rate" ? 1 / costs : costs),
      ours_us: Math.round(middle(ours, cpuUs)),
      ceiling_us: Math.round(middle(ceilings, cpuUs)),
      pg_us: Math.round(middle(ours, ({ postgresUs }) => postgresUs)),
    },
    rounds: rounds.length,
    isInconclusive: isInconclusive(ceilings.map((stretch) => figureOf(stretch, measure))),
  };
}

/** Measures a contestant's work and its cost in all processes. */
export async function measureStretch(
  { name, pid, run, prepare }: Contestant,
  postgresPid: number | undefined,
  extent: Extent,
): Promise<Stretch> {
  await prepare?.();
  const snapshot = () => ({
    process: [pid].flat().reduce((sum, id) => sum + processorTimeOf(id), 0),
    postgres: postgresPid === undefined ? 0 : processorTimeOfTree(postgresPid),
    generator: processorTimeOf(process.pid),
  });
  const before = snapshot();
  const { done, elapsedMs } = await run(extent);
  const after = snapshot();
  if (done === 0) throw new Error(`${name} did nothing`);
  return {
    rate: (done / elapsedMs) * 1_000,
    processUs: (after.process - before.process) / done,
    postgresUs: (after.postgres - before.postgres) / done,
    generatorUs: (after.generator - before.generator) / done,
  };
}

export function lineOf(name: string, { rate, processUs, postgresUs, generatorUs }: Stretch): string {
  const parts = [processUs, postgresUs, generatorUs].map(Math.round).join(" + ");
  return `${name} ${Math.round(rate)}/s, ${parts} µs (process + PostgreSQL + generator)`;
}

/** Ends a bench with different counts. @throws Error when they differ */
export function assertSame(what: string, counts: Readonly<Record<string, number>>): void {
  const named = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  if (new Set(Object.values(counts)).size > 1)
    throw new Error(`${what}: the counts differ: ${named.join(", ")}`);
  print(`  ${what}: ${named.join(" = ")}`);
}

/** Returns whether every bar is met, and the last line: the result as JSON. */
export function report(name: string, result: Result): { isPassed: boolean; line: string } {
  const { ratio, ours, ceiling, unit, rounds, bars, cpu, measuredBy, holds = true, figures } = result;
  const pass = holds && !result.isInconclusive && passes(measuredBy === "cpu" ? cpu.ratio : ratio, bars);
  const place = {
    load: round3(loadavg()[0] ?? 0),
    commit: commit(),
    node: process.version,
    cpus: availableParallelism(),
  };
  const line = JSON.stringify({
    name,
    ratio,
    ours,
    ceiling,
    unit,
    rounds,
    bars,
    pass,
    cpu,
    figures,
    ...place,
  });
  return { isPassed: pass, line };
}

/** The files that the record of an earlier run changed: they are not measured. */
const RECORDED = ["docs/performance.md", "tests/bench/records.json"].map((path) => `:(top,exclude)${path}`);

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ...RECORDED);
    return git("rev-parse", "--short", "HEAD") + (changed === "" ? "" : "-dirty");
  } catch {
    return "unknown";
  }
}

/**
 * The result of times under an attack, in ms: the median ratio to the quiet times, and both medians. If the times
 * in `steady` vary much, by default the quiet ones, the result is inconclusive.
 */
export function timedBeside(
  { ratios, attacked, quiet, steady = quiet, labels = ["under attack", "in quiet"] }: Times,
  { unit, bars }: Pick<Result, "unit" | "bars">,
): Result {
  const { median, min, max } = spreadOf(ratios);
  const [ours, ceiling] = [attacked, quiet].map((times) => round3(spreadOf(times).median)) as [
    number,
    number,
  ];
  print(`  ratio ${median.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`);
  print(`  ${ours} ${unit} ${labels[0]}, ${ceiling} ${labels[1]}`);
  return {
    ratio: round3(median),
    ours,
    ceiling,
    unit,
    rounds: ratios.length,
    bars,
    cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
    isInconclusive: isInconclusive(steady),
  };
}

type Times = {
  readonly ratios: readonly number[];
  readonly attacked: readonly number[];
  readonly quiet: readonly number[];
  readonly steady?: readonly number[];
  /** the labels of the two times */
  readonly labels?: readonly [string, string];
};

export function round3(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
