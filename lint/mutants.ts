import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { testedCommit } from "./commit.ts";
import { machineMutants } from "./machine-mutants.ts";
import { moneyMutants } from "./money-mutants.ts";
import { inSandbox, type Mutant, type Sandbox } from "./mutant-sandbox.ts";
import { signerMutants } from "./signer-mutants.ts";

/**
 * Proves that every edge of every state machine and every rule for money has a test. It removes one after the
 * other in a copy of the project, and expects failing tests or a failing compiler. All of them take about an hour.
 * With `--sample N` only N, chosen by the commit. `--only PATTERN` filters by name.
 */

/** The average: where the first tests do not notice the mutant, the whole folder runs after them. */
const SECONDS_EACH = 15;

const { values: options } = parseArgs({ options: { sample: { type: "string" }, only: { type: "string" } } });
const every = [...machineMutants(), ...moneyMutants, ...signerMutants];
const named = every.filter(({ name }) => new RegExp(options.only ?? "").test(name));
const chosen = options.sample === undefined ? named : chooseMutants(named, Number(options.sample));
const minutes = Math.ceil((chosen.length * SECONDS_EACH) / 60);
printLine(`${chosen.length} of ${every.length} mutants, about ${minutes} min on an idle machine`);
const survivors = await inSandbox((sandbox) => testAll(sandbox, chosen));
for (const name of survivors) printLine(`SURVIVED ${name}`);
printLine(`${chosen.length - survivors.length} died, ${survivors.length} survived`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** Returns the names of the survivors. */
async function testAll(sandbox: Sandbox, mutants: readonly Mutant[]): Promise<string[]> {
  await requireGreen(sandbox, mutants);
  const alive: string[] = [];
  for (const mutant of mutants) {
    const started = performance.now();
    const death = await sandbox.mutated(mutant.changes, () => deathOf(sandbox, mutant));
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    printLine(`${mutant.name.padEnd(75)} ${(death ?? "SURVIVED").padEnd(16)} ${seconds} s`);
    if (death === undefined) alive.push(mutant.name);
  }
  // Afterwards the tests must pass without a mutant: so each mutant died of its own fault.
  await requireGreen(sandbox, mutants);
  return alive;
}

/** @throws Error if the first tests fail without a mutant. */
async function requireGreen(sandbox: Sandbox, mutants: readonly Mutant[]): Promise<void> {
  for (const project of ["unit", "db"]) {
    const first = mutants
      .flatMap(({ readers }) => readers.slice(0, 1))
      .filter((run) => run.project === project);
    const files = [...new Set(first.flatMap((run) => run.files))];
    if (files.length === 0 || (await sandbox.test({ project, files }))) continue;
    throw new Error(`red without any mutant: ${files.join(", ")}`);
  }
}

/**
 * The result that kills the mutant; undefined for a survivor. Paths without tests pass: an outdated table
 * shows as survivors.
 */
async function deathOf(sandbox: Sandbox, { readers }: Mutant): Promise<string | undefined> {
  for (const [index, run] of readers.entries()) {
    if (!(await sandbox.test(run))) return index === 0 ? "red" : "red in its folder";
  }
  return (await sandbox.compiles()) ? undefined : "no compile";
}

/** The first few in an order by the commit, or by the version without git. */
function chooseMutants(mutants: readonly Mutant[], count: number): Mutant[] {
  const commit = testedCommit();
  const rank = ({ name }: Mutant) => createHash("sha256").update(`${commit} ${name}`).digest("hex");
  return mutants.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, count);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
