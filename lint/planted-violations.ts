/** A file that breaks a rule, and the rule's name. */
type RuleViolation = { path: string; source: string; rule: string };

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
  'export const hidden = await import("@daric/devchain", { with: { type: "json" } });',
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

/** The ways to use SQL outside a store. */
const statements = [
  'import { type Queryable, sql } from "@daric/postgres/sql";\n\nexport const ask = (db: Queryable) => db.query(sql`select 1`);',
  'import * as pg from "@daric/postgres/sql";\n\nexport const one = pg.sql`select 1`;',
  'export const load = () => import("@daric/postgres/sql");',
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

/** Violations of our own rules, named `plugin/<file>`, and of the linter's rules that depend on the folder or the manifest. */
export const ruleViolations: readonly RuleViolation[] = [
  ...["packages/domain/src", "packages/tron/src"].flatMap((folder) => [
    ...planted(`${folder}/a-clock`, "plugin/no-clock-no-random", clocksAndRandomness),
    ...planted(`${folder}/a-world`, "style/noRestrictedGlobals", globalsOfTheRuntime),
  ]),
  ...planted("packages/domain/src/a-float", "style/noRestrictedGlobals", [
    'export const price = Number("1.5");',
  ]),
  ...planted("packages/runtime/src/a-circle", "suspicious/noImportCycles", [
    'import { b } from "./a-circle-1.ts";\n\nexport const a = () => b;',
    'import { a } from "./a-circle-0.ts";\n\nexport const b = () => a;',
    'import type { B } from "./a-circle-3.ts";\n\nexport type A = readonly B[];',
    'import type { A } from "./a-circle-2.ts";\n\nexport type B = readonly A[];',
  ]),
  ...planted("packages/runtime/src/a-tool", "correctness/noUndeclaredDependencies", [
    'import { Webhook } from "svix";\n\nexport const tool = Webhook;',
    'import fc from "fast-check";\n\nexport const tool = fc;',
    'import { startDevchain } from "@daric/devchain";\n\nexport const tool = startDevchain;',
  ]),
  ...planted("packages/tron/src/a-client", "correctness/noUndeclaredDependencies", [
    'import { Pool } from "pg";\n\nexport const client = Pool;',
  ]),
  ...planted("packages/runtime/src/a-waited-return", "plugin/no-return-await", [
    "export async function ask(node: () => Promise<string>) {\n  return await node();\n}",
  ]),
  ...planted("packages/runtime/src/a-cast", "plugin/no-brand-cast", casts),
  {
    path: "packages/domain/src/money.ts",
    source: "export const idOf = (text: string) => text as MerchantId;",
    rule: "plugin/no-brand-cast",
  },
  {
    path: "packages/domain/src/ids.ts",
    source: "export const amountOf = (units: bigint) => units as Amount;",
    rule: "plugin/no-brand-cast",
  },
  ...planted("packages/runtime/src/a-statement", "plugin/only-stores-hold-sql", statements),
  ...listsWithoutEnd.map((source, n) => ({
    path: `packages/console/src/people/list-${n}-store.ts`,
    source,
    rule: "plugin/lists-are-pages",
  })),
  ...planted("packages/runtime/src/a-pattern", "plugin/no-unbounded-neighbours", unboundedNeighbours),
  ...planted("packages/runtime/src/a-made-pattern", "plugin/no-built-patterns", builtPatterns),
  ...planted("packages/runtime/src/a-hidden-import", "plugin/no-hidden-import", hiddenImports),
  ...planted("packages/runtime/src/a-way-to-require", "plugin/no-require", waysToRequire),
  ...planted("packages/runtime/src/a-door", "plugin/no-re-export", reExports),
  ...writtenTexts.map((source, n) => ({
    path: `web/dashboard/src/ui/a-text-${n}.tsx`,
    source,
    rule: "plugin/no-written-text",
  })),
];

/** Forbidden imports: the importing file, the specifier, and a part of the report. */
export const plantedImports: readonly (readonly [path: string, from: string, fault: string])[] = [
  ["apps/daric/src/no-room/a.ts", "./b.ts", "its folder is missing in lint/rooms.ts"],
  ["packages/egress/src/no-room/a.ts", "./b.ts", "its folder is missing in lint/rooms.ts"],
  ["packages/chain/src/blocks/a.ts", "../nodes/client.ts", "does not open nodes to blocks"],
  ["packages/deposits/src/record/a.ts", "../verify/agree.ts", "does not open verify to record"],
  ["packages/charges/src/a.ts", "./create/create-charge.ts", "does not open create to ."],
  ["apps/daric/src/cli/a.ts", "../../../../packages/tron/src/hash.ts", "a path leads to the same workspace"],
  ["apps/daric/src/cli/a.ts", "@daric/server/app", "a name to another"],
  ["apps/daric/src/cli/a.ts", "@daric/tron/keys/account-keys", "only the signer loads private keys"],
  ["packages/addresses/src/a.ts", "@daric/tron/seed", "only the command line and the signer read a seed"],
  ["apps/demo/src/a.ts", "@daric/signer/bin", "no other program loads the signer"],
  ["apps/signer/src/a.ts", "undici", "beside the seed runs no package but @noble"],
  ["apps/signer/src/a.ts", "@daric/domain/money", "beside the seed runs no package but @noble"],
  ["apps/daric/src/deployment/a.ts", "@daric/postgres/embedded", "the service never starts PostgreSQL"],
  [
    "packages/hosted-checkout/src/page/a.ts",
    "@daric/checkout/projection",
    "the service serves the scripts of browsers without importing them",
  ],
  ["packages/tron/src/a.ts", "node:fs", "tron only reads and writes bytes"],
  ["packages/domain/src/a.ts", "zod", "the domain is pure, and texts are only read from their files"],
  [
    "packages/chain/src/nodes/a.ts",
    "@daric/merchants/merchant",
    "the chain knows no merchant, and a webhook no deposit",
  ],
  [
    "packages/webhooks/src/events/a.ts",
    "@daric/deposits/deposit",
    "the chain knows no merchant, and a webhook no deposit",
  ],
  ["clients/mcp/src/a.ts", "node:fs", "the MCP server has no way into the service but the SDK"],
  ["clients/typescript/src/a.ts", "node:crypto", "sdk depends on nothing"],
  ["web/checkout/src/a.ts", "@daric/sdk", "the payer's scripts use types of the contract alone"],
  [
    "web/dashboard/src/ui/a.ts",
    "@daric/domain/money",
    "the pages use of the service only how amounts are typed, transfers are written, texts are read and colours compared",
  ],
  [
    "apps/demo/src/a.ts",
    "@daric/server/main",
    "demo starts the command line, and imports nothing else of the service",
  ],
  [
    "packages/charges/src/create/create-charge.ts",
    "@daric/http/envelope",
    "a feature uses HTTP in routes.ts and schema.ts only",
  ],
  [
    "apps/daric/src/doctor/a.ts",
    "@daric/http/envelope",
    "a feature uses HTTP in routes.ts and schema.ts only",
  ],
  [
    "packages/deposits/src/a.ts",
    "@daric/charges/create/store",
    "a feature reads the tables of others itself, and imports no store of theirs but of refunds, which move with their charge",
  ],
];

/** Comments that silence a rule of ours, a rule without its name, or more than one line. */
export const plantedComments: readonly string[] = [
  "// biome-ignore lint/plugin/no-brand-cast: because",
  "/* biome-ignore lint/correctness/noUndeclaredDependencies: because */",
  "// biome-ignore lint: because",
  "// biome-ignore-all lint/style/noProcessEnv: because",
  "// biome-ignore-start lint/suspicious/noExplicitAny: because",
];
