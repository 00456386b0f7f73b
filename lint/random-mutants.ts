import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant, TestRun } from "./mutant-sandbox.ts";

/** The folders between the chain and the money, and their tests: the fast ones first. */
const FOLDERS: Readonly<Record<string, readonly TestRun[]>> = {
  "server/src/chain": [
    { project: "unit", files: ["server/src/chain/"] },
    { project: "db", files: ["server/src/deposits/"] },
  ],
  "server/src/deposits": [
    { project: "unit", files: ["server/src/deposits/"] },
    { project: "db", files: ["server/src/deposits/"] },
  ],
};

/** Small changes of a line: a pattern and its replacement. */
const OPERATORS: readonly {
  readonly name: string;
  readonly find: RegExp;
  readonly write: (found: string) => string;
}[] = [
  {
    name: "another comparison",
    find: / (?:<=|>=|===|!==|<|>) (?=[\w$("!.-])/g,
    write: (found) =>
      ` ${{ "<=": "<", ">=": ">", "===": "!==", "!==": "===", "<": "<=", ">": ">=" }[found.trim()]} `,
  },
  { name: "one more", find: / \+ 1\b(?!\d|_)/g, write: () => " + 2" },
  { name: "one less", find: / - 1\b(?!\d|_)/g, write: () => "" },
  { name: "|| instead of &&", find: / \|\| /g, write: () => " && " },
  { name: "&& instead of ||", find: / && /g, write: () => " || " },
  {
    name: "an inverted condition",
    find: /\bif \([^()\n]+\) /g,
    write: (found) => `if (!${found.slice("if ".length).trim()}) `,
  },
  { name: "a line of a where clause dropped", find: /^ +and [^\n]*$(?![^\n]*`)/gm, write: () => "" },
  { name: "nothing thrown", find: /^ +throw [^\n]*;$/gm, write: () => "" },
];

type Site = {
  readonly file: string;
  readonly at: number;
  readonly found: string;
  readonly operator: (typeof OPERATORS)[number];
};

/** Returns `count` small changes of the folders' code. The same seed gives the same changes of the same code. */
export function randomMutants(count: number, seed: number): Mutant[] {
  const root = join(import.meta.dirname, "..");
  const sites = Object.keys(FOLDERS).flatMap((room) =>
    filesOf(root, room).flatMap((file) => sitesIn(root, file)),
  );
  const rank = ({ file, at, operator }: Site): string =>
    createHash("sha256").update(`${seed} ${file} ${at} ${operator.name}`).digest("hex");
  return sites
    .map((site) => ({ site, rank: rank(site) }))
    .sort((a, b) => a.rank.localeCompare(b.rank))
    .slice(0, count)
    .map(({ site }) => mutantAt(root, site));
}

function filesOf(root: string, room: string): string[] {
  return readdirSync(join(root, room))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${room}/${name}`);
}

/** Places in code. Comments and imports are left out, since a change there has no effect. */
function sitesIn(root: string, file: string): Site[] {
  const source = readFileSync(join(root, file), "utf8");
  return OPERATORS.flatMap((operator) =>
    [...source.matchAll(operator.find)]
      .map((match): Site => ({ file, at: match.index, found: match[0], operator }))
      .filter(({ at }) => !/^\s*(?:\*|\/[/*]|import|export type|type)/.test(lineAt(source, at))),
  );
}

function mutantAt(root: string, { file, at, found, operator }: Site): Mutant {
  const source = readFileSync(join(root, file), "utf8");
  const number = source.slice(0, at).split("\n").length + (found.startsWith("\n") ? 1 : 0);
  const change = (sound: string): string =>
    sound.slice(0, at) + written(operator, found) + sound.slice(at + found.length);
  const readers = Object.entries(FOLDERS).find(([room]) => file.startsWith(`${room}/`))?.[1] ?? [];
  return {
    name: `${file}:${number} ${operator.name}: ${lineAt(source, at).trim()}`,
    changes: new Map([[file, change]]),
    readers,
  };
}

function written(operator: (typeof OPERATORS)[number], found: string): string {
  return operator.write(found);
}

function lineAt(source: string, at: number): string {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at + 1);
  return source.slice(start, end === -1 ? undefined : end);
}
