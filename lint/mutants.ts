import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { startPostgres } from "@daric/postgres/embedded";
import { scratchFolder } from "@daric/testing/scratch-folder";

/**
 * Proves that every edge of every machine has a reader: sets one after the other to nonsense, and adds each that there
 * is not, in a copy of the project,
 * and expects the database tests of its room to turn red, or the copy not to compile. All of them take some minutes; with
 * `--sample N` only N, chosen by the commit: the same for everybody who tests it, others with the next one.
 */

/** Which database tests know the edges of a machine, by parts of their paths: the quickest, then the whole room. */
const readers: Readonly<Record<string, readonly [string, string]>> = {
  chargeMachine: ["charges/status-store.db", "src/charges/"],
  depositMachine: ["deposits/status-store.db", "src/deposits/"],
  deliveryMachine: ["webhooks/deliveries/delivery-store.db", "src/webhooks/"],
};

/** A graph as it is written: `body` is what stands between its braces. */
type Graph = { readonly machine: string; readonly file: string; readonly body: string };
type Edge = { readonly from: string; readonly event: string; readonly to: string };
/** One way to write a graph wrong. */
type Mutant = Graph & { readonly name: string; readonly mutated: string };

const root = join(import.meta.dirname, "..");
const DOMAIN = join("server", "src", "domain");
const SECONDS_EACH = 3;

const every = readGraphs().flatMap(mutantsOf);
const sample = process.argv[2] === "--sample" ? Number(process.argv[3]) : every.length;
const chosen = sample < every.length ? choose(every, sample) : every;
say(`${chosen.length} of ${every.length} mutants, about ${SECONDS_EACH} s each on a quiet machine`);
const survivors = await testAll(chosen);
say(`${chosen.length - survivors} died, ${survivors} survived`);
process.exitCode = survivors === 0 ? 0 : 1;

/** Answers how many survive. */
async function testAll(mutants: readonly Mutant[]): Promise<number> {
  const yard = mkdtempSync(join(scratchFolder(), "daric-mutants-"));
  const copy = join(yard, "copy");
  const given = process.env.TEST_DATABASE_URL;
  const postgres = given ? undefined : await startPostgres({ home: join(yard, "postgres"), mode: "test" });
  try {
    copyProject(copy);
    const isGreen = (...tests: string[]) => passes(copy, postgres?.url ?? given, tests);
    const quickest = [...new Set(mutants.map((mutant) => readersOf(mutant)[0]))];
    const requireGreen = () => {
      if (!isGreen(...quickest)) throw new Error(`red without any mutant: ${quickest.join(", ")}`);
    };
    requireGreen();
    const deaths = mutants.map((mutant) => {
      const started = performance.now();
      const death = deathOf(mutant, { copy, isGreen });
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      say(
        `${mutant.machine.padEnd(16)} ${mutant.name.padEnd(42)} ${(death ?? "SURVIVED").padEnd(16)} ${seconds} s`,
      );
      return death;
    });
    // Whatever else may have gone wrong meanwhile, they died of what was done to them.
    requireGreen();
    return deaths.filter((death) => death === undefined).length;
  } finally {
    await postgres?.stop();
    rmSync(yard, { recursive: true, force: true });
  }
}

/** What gives the mutant away; undefined when nothing does. */
function deathOf(
  mutant: Mutant,
  { copy, isGreen }: { copy: string; isGreen: (tests: string) => boolean },
): string | undefined {
  const path = join(copy, DOMAIN, mutant.file);
  const sound = readFileSync(path, "utf8");
  writeFileSync(
    path,
    sound.replace(mutant.body, () => mutant.mutated),
  );
  try {
    const [quickest, room] = readersOf(mutant);
    if (!isGreen(quickest)) return "red";
    if (!isGreen(room)) return "red in its room";
    return compiles(copy) ? undefined : "no compile";
  } finally {
    writeFileSync(path, sound);
  }
}

function readersOf({ machine }: Graph): readonly [string, string] {
  const known = readers[machine];
  if (known === undefined)
    throw new Error(`say in ${basename(import.meta.filename)} which tests know ${machine}`);
  return known;
}

/** Every machine that ships. One that is written otherwise, or elsewhere, would go untried. */
function readGraphs(): Graph[] {
  const graphs = readdirSync(join(root, DOMAIN))
    .filter((file) => isSource(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, DOMAIN, file), "utf8");
      const found = source.matchAll(/^export const (\w+) = machine\(\{\n(.*?)\n\}\);$/gms);
      return [...found].map(([, machine = "", body = ""]) => ({ machine, file, body }));
    });
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    workspaces: string[];
  };
  const made = workspaces
    .map((workspace) => join(root, workspace, "src"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter(isSource)
    .flatMap((path) => readFileSync(path, "utf8").match(/\bmachine\(/g) ?? []);
  if (made.length === graphs.length) return graphs;
  throw new Error(`${made.length} machines are made, and ${graphs.length} of them are graphs in ${DOMAIN}`);
}

function isSource(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".test.ts");
}

/**
 * Every edge is dropped once, every event leads once to each state that it should not lead to, and starts once in each
 * state that it should not start in.
 */
function mutantsOf(graph: Graph): Mutant[] {
  const lines = [...graph.body.matchAll(/^ {2}(\w+): \{([^}]*)\}/gm)];
  const states = lines.map(([, state = ""]) => state);
  const edges = lines.flatMap(([, from = "", targets = ""]) =>
    [...targets.matchAll(/(\w+): "(\w+)"/g)].map(([, event = "", to = ""]): Edge => ({ from, event, to })),
  );
  const dropped = edges.map(({ from, event }) => ({
    ...graph,
    name: `${from} without ${event}`,
    mutated: graph.body.replace(new RegExp(`(^ {2}${from}: \\{[^}]*?)\\b${event}: "\\w+",?`, "m"), "$1"),
  }));
  const events = new Map(edges.map(({ event, to }) => [event, to]));
  const misled = [...events].flatMap(([event, to]) =>
    states
      .filter((state) => state !== to)
      .map((state) => ({
        ...graph,
        name: `${event} leads to ${state}`,
        mutated: graph.body.replace(new RegExp(`\\b${event}: "${to}"`, "g"), `${event}: "${state}"`),
      })),
  );
  const added = [...events].flatMap(([event, to]) =>
    states
      .filter((state) => !edges.some((edge) => edge.event === event && edge.from === state))
      .map((state) => ({
        ...graph,
        name: `${state} with ${event}`,
        mutated: graph.body.replace(`  ${state}: {`, () => `  ${state}: { ${event}: "${to}",`),
      })),
  );
  return [...dropped, ...misled, ...added];
}

/** The first few in an order that the commit, or where there is none the version, gives them. */
function choose(mutants: readonly Mutant[], count: number): Mutant[] {
  const rank = ({ machine, name }: Mutant) =>
    createHash("sha256").update(`${commit()} ${machine} ${name}`).digest("hex");
  return mutants.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, count);
}

function commit(): string {
  const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  if (git.status === 0) return git.stdout.trim();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return version;
}

/** Sources are copied, so that nothing in the project itself is ever wrong; packages are looked up where they are. */
function copyProject(copy: string): void {
  const left = new Set(["node_modules", "dist", ".git"]);
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

/** Paths that match no test pass: a table above that is out of date shows as survivors, not as deaths. */
function passes(copy: string, databaseUrl: string | undefined, tests: readonly string[]): boolean {
  const { VITEST_JSON_REPORT: _report, ...env } = process.env;
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const run = spawnSync(
    process.execPath,
    [vitest, "run", "--project=db", "--bail=1", "--passWithNoTests", ...tests],
    { cwd: copy, env: { ...env, TEST_DATABASE_URL: databaseUrl }, stdio: "ignore" },
  );
  return run.status === 0;
}

function compiles(copy: string): boolean {
  return (
    spawnSync(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-b"], { cwd: copy })
      .status === 0
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
