/** A file that breaks a rule, and the rule's name. */
export type RuleViolation = { path: string; source: string; rule: string };

const many = (count: number, line: string) => Array.from({ length: count }, () => line).join("\n");

/** Makes one file for each way to break a rule. */
function planted(path: string, rule: string, sources: readonly string[]): RuleViolation[] {
  return sources.map((source, n) => ({ path: `${path}-${n}.ts`, source, rule }));
}

/** The ways to write a text into a page without the catalogue. */
const writtenTexts = [
  "export const title = () => <h1>Payments</h1>;",
  'export const field = () => <input aria-label="Order reference" />;',
  'export const field = () => <input placeholder={"Order reference"} />;',
];

/** The ways to cast a value to a brand. */
const casts = [
  'export const price = (units: bigint) => units as Amount<"USDT">;',
  "export const price = (units: bigint) => units as money.Amount;",
  "export const price = (units: bigint) => units as unknown as AnyAmount;",
  "export const idOf = (text: string) => text as MerchantId;",
  'export const idOf = (text: string) => text as Id<"merchant">;',
  "export const idOf = (text: string) => <MerchantId>text;",
  "export const idsOf = (texts: string[]) => texts as MerchantId[];",
  "export const idsOf = (texts: string[]) => texts as readonly MerchantId[];",
  "export const idsOf = (texts: unknown) => texts as ReadonlyMap<string, MerchantId>;",
  "export const idOf = (text?: string) => text as MerchantId | undefined;",
  "export const rowOf = (row: unknown) => row as { id: ChargeId };",
  'import type { MerchantId as Key } from "../domain/ids.ts";\n\nexport const keyOf = (text: string) => text as Key;',
  "type Key = MerchantId;\n\nexport const keyOf = (text: string) => text as Key;",
];

/** The ways to read every row of a table into one answer. */
const listsWithoutEnd = [
  "export async function listPeople(db: Queryable) {\n  return db.query(sql`select id from people order by id`);\n}",
  "export function listPeople(db: Queryable) {\n  return db.query(sql`select id from people order by unlimited`);\n}",
  "export const listPeople = (db: Queryable) => db.query(sql`select id from people`);",
].map((source) => `import { type Queryable, sql } from "@daric/postgres/sql";\n\n${source}`);

/** The ways to write a pattern with exponential backtracking. */
const unboundedNeighbours = [
  String.raw`/^\d*\.?\d*e$/`,
  String.raw`/^\s+[\s\d]+x$/`,
  String.raw`/^(\w+)\w*x$/`,
  String.raw`/^\w+(?:\w+)x$/`,
  String.raw`/^\p{L}{1,}\p{L}{2,}x$/u`,
  String.raw`/^(?:\w+,?)+$/`,
  String.raw`/^(\w*)*$/`,
  String.raw`/^(?:[)\w]{2,})*$/`,
  String.raw`/\/+$/`,
  String.raw`/[\s,]*x/`,
  String.raw`/(\d+)$/`,
  String.raw`/(?<number>(?:\d+))x/`,
].map((pattern) => `export const pattern = ${pattern};`);

/** The ways to build a pattern that the linter cannot read. */
const builtPatterns = [
  String.raw`export const made = new RegExp("^\\d*\\d*x$");`,
  "export const made = (text: string) => new RegExp(text);",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file that is planted
  'export const made = (text: string) => RegExp(`^${text}$`, "u");',
  "export const made = (text: string) => new globalThis.RegExp(text);",
];

/** The ways to hide an import from the rules. */
const hiddenImports = [
  'export type Hidden = import("@daric/devchain").Devchain;',
  "export const hidden = await import(`@daric/devchain`);",
  'export const hidden = await import("@daric/" + "devchain");',
  'const name = "@daric/devchain";\n\nexport const hidden = await import(name);',
  'export const hidden = await import("./a.json", { with: { type: "json" } });',
];

/** The ways to open a module without an import. */
const waysToRequire = [
  'import { createRequire } from "node:module";\n\nexport const fs = createRequire(import.meta.url)("node:fs");',
  'import { createRequire } from "node:module";\n\nexport const open = createRequire(import.meta.url);',
  'import { createRequire } from "node:module";\n\nexport const makers = [createRequire];',
  'import { createRequire as make } from "node:module";\n\nexport const where = make("/").resolve("pg");',
  'import * as module from "node:module";\n\nexport const names = module.builtinModules;',
  'import module from "module";\n\nexport const names = module.builtinModules;',
  'export { createRequire } from "node:module";',
  'export * from "node:module";',
  'export const module = await import("node:module");',
  'export const fs = process.getBuiltinModule("node:fs");',
  'export const fs = process["getBuiltinModule"]("node:fs");',
  "export const { getBuiltinModule } = process;",
  'import { getBuiltinModule as open } from "node:process";\n\nexport const fs = open("node:fs");',
];

/** The ways to re-export a store through another file. */
const reExports = [
  'import { insertCharge } from "./store.ts";\n\nexport { insertCharge };',
  'import { insertCharge } from "./store.ts";\n\nexport { insertCharge as insert };',
  'import { insertCharge } from "./store.ts";\n\nexport const insert = insertCharge;',
  'import { insertCharge } from "./store.ts";\n\nexport default insertCharge;',
  'export { insertCharge } from "./store.ts";',
  'export type { Row } from "./store.ts";',
  'export * from "./store.ts";',
];

/** The ways to read the clock, to draw a random number, or to parse a float. */
const clocksAndRandomness = [
  "export const now = () => new Date();",
  "export const now = () => Date();",
  "export const now = () => Date.now();",
  "export const clock = Date.now;",
  "export const chance = () => Math.random();",
  'export const chance = () => Math["random"]();',
  "export const { random } = Math;",
  "export const floatOf = (text: string) => +text;",
];

/** The ways to reach the clock, the network or a timer through a global. */
const globalsOfTheRuntime = [
  "export const now = () => performance.now();",
  "export const now = () => process.hrtime();",
  "export const now = () => new globalThis.Date();",
  "export const zone = new Intl.DateTimeFormat();",
  "export const chance = () => crypto.randomUUID();",
  "export const ask = (url: string) => fetch(url);",
  "export const open = (url: string) => new WebSocket(url);",
  "export const later = (work: () => void) => setTimeout(work, 1);",
  "export const often = (work: () => void) => setInterval(work, 1);",
  "export const soon = (work: () => void) => setImmediate(work);",
  "export const next = (work: () => void) => queueMicrotask(work);",
];

/**
 * One violation of every rule that `biome.json` sets, and of each of our own, named `plugin/<its
 * file>`.
 */
export const ruleViolations: readonly RuleViolation[] = [
  ...["server/src/domain", "tron/src"].flatMap((folder) => [
    ...planted(`${folder}/a-clock`, "plugin/no-clock-no-random", clocksAndRandomness),
    ...planted(`${folder}/a-world`, "style/noRestrictedGlobals", globalsOfTheRuntime),
  ]),
  {
    path: "server/src/domain/a-float.ts",
    source: 'export const price = Number("1.5");',
    rule: "style/noRestrictedGlobals",
  },
  {
    path: "server/src/runtime/a-circle.ts",
    source: 'import { b } from "./b-circle.ts";\n\nexport const a = () => b;',
    rule: "suspicious/noImportCycles",
  },
  {
    path: "server/src/runtime/b-circle.ts",
    source: 'import { a } from "./a-circle.ts";\n\nexport const b = () => a;',
    rule: "suspicious/noImportCycles",
  },
  ...["a", "b"].map((name) => ({
    path: `server/src/runtime/${name}-circle-of-types.ts`,
    source: `import type { ${name === "a" ? "B" : "A"} } from "./${name === "a" ? "b" : "a"}-circle-of-types.ts";\n\nexport type ${name.toUpperCase()} = readonly ${name === "a" ? "B" : "A"}[];`,
    rule: "suspicious/noImportCycles",
  })),
  {
    path: "server/src/runtime/an-environment.ts",
    source: "export const home = process.env.HOME;",
    rule: "style/noProcessEnv",
  },
  { path: "server/src/runtime/a-console.ts", source: 'console.log("here");', rule: "suspicious/noConsole" },
  {
    path: "server/src/runtime/a-default.ts",
    source: "export default function start() {}",
    rule: "style/noDefaultExport",
  },
  {
    path: "server/src/runtime/a-bang.ts",
    source: "export const first = (list: string[]) => list[0]!.length;",
    rule: "style/noNonNullAssertion",
  },
  {
    path: "server/src/runtime/an-interface.ts",
    source: "export interface Named {\n  readonly name: string;\n}",
    rule: "style/useConsistentTypeDefinitions",
  },
  {
    path: "server/src/runtime/a-dialect.test.ts",
    source: 'import { expect, test } from "vitest";\n\ntest("one", () => expect(1).toBe(1));',
    rule: "nursery/useConsistentTestIt",
  },
  {
    path: "server/src/runtime/a-loose-absence.ts",
    source: "export const isAbsent = (value: string | null | undefined) => value == null;",
    rule: "suspicious/noEqualsToNull",
  },
  {
    path: "server/src/runtime/an-unused-parameter.ts",
    source: "export function first(one: string, two: string) {\n  return one;\n}",
    rule: "correctness/noUnusedFunctionParameters",
  },
  {
    path: "server/src/runtime/an-unused-member.ts",
    source: "export class Counter {\n  #count = 0;\n}",
    rule: "correctness/noUnusedPrivateClassMembers",
  },
  {
    path: "server/src/runtime/a-changeable-member.ts",
    source: "export class Name {\n  private text = 'a';\n\n  get() {\n    return this.text;\n  }\n}",
    rule: "style/useReadonlyClassProperties",
  },
  {
    path: "server/src/runtime/a-waited-return.ts",
    source: "export async function ask(node: () => Promise<string>) {\n  return await node();\n}",
    rule: "plugin/no-return-await",
  },
  ...planted("server/src/runtime/a-cast", "plugin/no-brand-cast", casts),
  {
    path: "server/src/domain/money.ts",
    source: "export const idOf = (text: string) => text as MerchantId;",
    rule: "plugin/no-brand-cast",
  },
  {
    path: "server/src/domain/ids.ts",
    source: "export const amountOf = (units: bigint) => units as Amount;",
    rule: "plugin/no-brand-cast",
  },
  {
    path: "server/src/runtime/a-statement.ts",
    source:
      'import { type Queryable, sql } from "@daric/postgres/sql";\n\nexport const ask = (db: Queryable) => db.query(sql`select 1`);',
    rule: "plugin/only-stores-hold-sql",
  },
  {
    path: "server/src/runtime/a-statement-under-a-name.ts",
    source: 'import * as pg from "@daric/postgres/sql";\n\nexport const one = pg.sql`select 1`;',
    rule: "plugin/only-stores-hold-sql",
  },
  {
    path: "server/src/runtime/a-statement-later.ts",
    source: 'export const load = () => import("@daric/postgres/sql");',
    rule: "plugin/only-stores-hold-sql",
  },
  {
    path: "server/src/runtime/a-thrown-text.ts",
    source: 'export function fail(): never {\n  throw "text";\n}',
    rule: "style/useThrowOnlyError",
  },
  {
    path: "server/src/runtime/a-lost-promise.ts",
    source: "async function save() {}\n\nexport function run() {\n  save();\n}",
    rule: "nursery/noFloatingPromises",
  },
  {
    path: "server/src/runtime/BadName.ts",
    source: "export const name = 1;",
    rule: "style/useFilenamingConvention",
  },
  {
    path: "server/src/runtime/a-barrel.ts",
    source: 'export * from "./a-bang.ts";',
    rule: "performance/noBarrelFile",
  },
  {
    path: "server/src/runtime/a-long-file.ts",
    source: many(301, "export {};"),
    rule: "style/noExcessiveLinesPerFile",
  },
  {
    path: "server/src/runtime/a-long-function.ts",
    source: `export function long(log: (n: number) => void) {\n${many(51, "  log(1);")}\n}`,
    rule: "complexity/noExcessiveLinesPerFunction",
  },
  {
    path: "server/src/runtime/a-function-with-room.ts",
    source: `export function long(log: (n: number) => void) {\n${many(26, "  log(1);\n")}\n}`,
    rule: "complexity/noExcessiveLinesPerFunction",
  },
  {
    path: "server/src/runtime/a-long-list.ts",
    source: "export const sum = (a: number, b: number, c: number, d: number) => a + b + c + d;",
    rule: "complexity/useMaxParams",
  },
  {
    path: "server/src/runtime/a-test-tool.ts",
    source: 'import { Webhook } from "svix";\n\nexport const tool = Webhook;',
    rule: "correctness/noUndeclaredDependencies",
  },
  {
    path: "server/src/runtime/a-tool-of-the-root.ts",
    source: 'import fc from "fast-check";\n\nexport const tool = fc;',
    rule: "correctness/noUndeclaredDependencies",
  },
  {
    path: "tron/src/a-client.ts",
    source: 'import { Pool } from "pg";\n\nexport const client = Pool;',
    rule: "correctness/noUndeclaredDependencies",
  },
  ...listsWithoutEnd.map((source, n) => ({
    path: `server/src/people/list-${n}-store.ts`,
    source,
    rule: "plugin/lists-are-pages",
  })),
  ...planted("server/src/runtime/a-pattern", "plugin/no-unbounded-neighbours", unboundedNeighbours),
  ...planted("server/src/runtime/a-made-pattern", "plugin/no-built-patterns", builtPatterns),
  ...planted("server/src/runtime/a-hidden-import", "plugin/no-hidden-import", hiddenImports),
  ...planted("server/src/runtime/a-way-to-require", "plugin/no-require", waysToRequire),
  ...planted("server/src/runtime/a-door", "plugin/no-re-export", reExports),
  ...writtenTexts.map((source, n) => ({
    path: `dashboard/src/ui/a-text-${n}.tsx`,
    source,
    rule: "plugin/no-written-text",
  })),
  {
    path: "server/src/runtime/a-require.ts",
    source: 'export const required = require("@daric/devchain");',
    rule: "style/noCommonJs",
  },
  {
    path: "server/src/runtime/an-unused-import.ts",
    source: 'import { a } from "./a.ts";',
    rule: "correctness/noUnusedImports",
  },
  {
    path: "server/src/runtime/an-unused-variable.ts",
    source: "const unused = 1;",
    rule: "correctness/noUnusedVariables",
  },
];
