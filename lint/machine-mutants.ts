import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Mutant } from "./mutant-sandbox.ts";
import { workspaces } from "./workspaces.ts";

/** The database tests of each state machine's edges, by parts of their paths: the fastest, then the whole folder. */
const readers: Readonly<Record<string, readonly [string, string]>> = {
  chargeMachine: ["charges/src/status-store.db", "packages/charges/"],
  depositMachine: ["deposits/src/status-store.db", "packages/deposits/"],
  deliveryMachine: ["webhooks/src/deliveries/delivery-store.db", "packages/webhooks/"],
  sweepMachine: ["sweeps/sweep-store.db", "packages/settlement/"],
  settlementMachine: ["books/end-store.db", "packages/settlement/"],
  refundMachine: ["refunds/src/refund.db", "packages/refunds/"],
};

/** The source of a graph: `body` is the text between its braces. */
type Graph = { readonly machine: string; readonly file: string; readonly body: string };
type Edge = { readonly from: string; readonly event: string; readonly to: string };
/** A graph with one fault. */
type WrongGraph = Graph & { readonly name: string; readonly mutated: string };

const root = join(import.meta.dirname, "..");
const DOMAIN = join("packages", "domain", "src");

/** Every state machine with one edge dropped, redirected or added, and the database tests that must fail. */
export function machineMutants(): Mutant[] {
  return readGraphs()
    .flatMap(wrongGraphsOf)
    .map((wrong) => {
      const { name, file, body, mutated } = wrong;
      const change = (sound: string): string => sound.replace(body, () => mutated);
      return {
        name,
        changes: new Map([[join(DOMAIN, file), change]]),
        readers: readersOf(wrong).map((part) => ({ project: "db", files: [part] })),
      };
    });
}

function readersOf({ machine }: Graph): readonly [string, string] {
  const known = readers[machine];
  if (known === undefined)
    throw new Error(`name the tests of ${machine} in ${basename(import.meta.filename)}`);
  return known;
}

/**
 * Every state machine of the service. @throws Error for a machine of another form or in another folder, which
 * would not be tested.
 */
function readGraphs(): Graph[] {
  const graphs = readdirSync(join(root, DOMAIN))
    .filter((file) => isSource(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, DOMAIN, file), "utf8");
      const found = source.matchAll(/^export const (\w+) = machine\(\{\n(.*?)\n\}\);$/gms);
      return [...found].map(([, machine = "", body = ""]) => ({ machine, file, body }));
    });
  const made = workspaces
    .map((workspace) => join(root, workspace, "src"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter(isSource)
    .flatMap((path) => readFileSync(path, "utf8").match(/\bmachine\(/g) ?? []);
  if (made.length === graphs.length) return graphs;
  throw new Error(
    `the service has ${made.length} state machines, and ${graphs.length} of them are graphs in ${DOMAIN}`,
  );
}

function isSource(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".test.ts");
}

/**
 * Drops every edge once, redirects every event to each wrong state, and adds every event to each state that
 * refuses it.
 */
function wrongGraphsOf(graph: Graph): WrongGraph[] {
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
