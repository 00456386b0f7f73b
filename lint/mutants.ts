import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { chooseMutants, inMutantYard, sampleOf, say, type Yard } from "./mutant-yard.ts";

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
const sample = sampleOf(every.length);
const chosen = sample < every.length ? chooseMutants(every, sample) : every;
say(`${chosen.length} of ${every.length} mutants, about ${SECONDS_EACH} s each on a quiet machine`);
const survivors = await inMutantYard((yard) => testAll(yard, chosen));
say(`${chosen.length - survivors} died, ${survivors} survived`);
process.exitCode = survivors === 0 ? 0 : 1;

/** Answers how many survive. */
async function testAll(yard: Yard, mutants: readonly Mutant[]): Promise<number> {
  const quickest = [...new Set(mutants.map((mutant) => readersOf(mutant)[0]))];
  const requireGreen = async () => {
    if (!(await isGreen(yard, ...quickest)))
      throw new Error(`red without any mutant: ${quickest.join(", ")}`);
  };
  await requireGreen();
  let alive = 0;
  for (const mutant of mutants) {
    const started = performance.now();
    const { file, body, mutated } = mutant;
    const change = (sound: string) => sound.replace(body, () => mutated);
    const death = await yard.mutated(new Map([[join(DOMAIN, file), change]]), () => deathOf(yard, mutant));
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    say(`${mutant.name.padEnd(59)} ${(death ?? "SURVIVED").padEnd(16)} ${seconds} s`);
    if (death === undefined) alive += 1;
  }
  // Whatever else may have gone wrong meanwhile, they died of what was done to them.
  await requireGreen();
  return alive;
}

/** What gives the mutant away; undefined when nothing does. */
async function deathOf(yard: Yard, mutant: Mutant): Promise<string | undefined> {
  const [quickest, room] = readersOf(mutant);
  if (!(await isGreen(yard, quickest))) return "red";
  if (!(await isGreen(yard, room))) return "red in its room";
  return (await yard.compiles()) ? undefined : "no compile";
}

/** Paths that match no test pass: a table above that is out of date shows as survivors, not as deaths. */
async function isGreen(yard: Yard, ...files: string[]): Promise<boolean> {
  return (await yard.test({ project: "db", files })).isGreen;
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
    name: `${graph.machine} ${from} without ${event}`,
    mutated: graph.body.replace(new RegExp(`(^ {2}${from}: \\{[^}]*?)\\b${event}: "\\w+",?`, "m"), "$1"),
  }));
  const events = new Map(edges.map(({ event, to }) => [event, to]));
  const misled = [...events].flatMap(([event, to]) =>
    states
      .filter((state) => state !== to)
      .map((state) => ({
        ...graph,
        name: `${graph.machine} ${event} leads to ${state}`,
        mutated: graph.body.replace(new RegExp(`\\b${event}: "${to}"`, "g"), `${event}: "${state}"`),
      })),
  );
  const added = [...events].flatMap(([event, to]) =>
    states
      .filter((state) => !edges.some((edge) => edge.event === event && edge.from === state))
      .map((state) => ({
        ...graph,
        name: `${graph.machine} ${state} with ${event}`,
        mutated: graph.body.replace(`  ${state}: {`, () => `  ${state}: { ${event}: "${to}",`),
      })),
  );
  return [...dropped, ...misled, ...added];
}
