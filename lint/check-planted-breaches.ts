import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Proves that the linter bites: each file below breaks one rule of the house and must be reported for it, and the
 * last ones break none and must not be. A rule that silently stopped matching (a glob that moved, an override that
 * replaced another) fails here.
 */
type Planted = { path: string; source: string; rule: string | undefined };

const many = (count: number, line: string) => Array.from({ length: count }, () => line).join("\n");

const planted: Planted[] = [
  { path: "server/src/domain/a-clock.ts", source: "export const now = () => new Date();", rule: "plugin" },
  {
    path: "server/src/domain/a-float.ts",
    source: 'export const price = Number("1.5");',
    rule: "style/noRestrictedGlobals",
  },
  {
    path: "server/src/domain/an-import.ts",
    source: 'import { sql } from "@daric/postgres/sql";\n\nexport const query = sql;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/domain/a-node-import.ts",
    source: 'import { randomBytes } from "node:crypto";\n\nexport const bytes = randomBytes;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/chain/a-merchant.ts",
    source: 'import type { Caller } from "../merchants/find-caller.ts";\n\nexport type Known = Caller;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "tron/src/a-file.ts",
    source: 'import { readFileSync } from "node:fs";\n\nexport const read = readFileSync;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "devchain/src/a-server.ts",
    source: 'import { runDaric } from "@daric/server/cli";\n\nexport const run = runDaric;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "postgres/src/a-feature.ts",
    source:
      'import { listDeposits } from "../../server/src/deposits/list-store.ts";\n\nexport const list = listDeposits;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/runtime/a-launcher.ts",
    source:
      'import { startPostgres } from "@daric/postgres/embedded";\n\nexport const start = startPostgres;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/http/a-feature.ts",
    source: 'import { findCaller } from "../merchants/find-caller.ts";\n\nexport const find = findCaller;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/deposits/http-in-a-verb.ts",
    source: 'import { ok } from "../http/envelope.ts";\n\nexport const answer = ok;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/deposits/a-foreign-store.ts",
    source: 'import { archivePaid } from "../charges/store.ts";\n\nexport const move = archivePaid;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/webhooks/sending/a-feature.ts",
    source: 'import { loadCharge } from "../../charges/charge.ts";\n\nexport const load = loadCharge;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/checkout/page/http-in-a-page.ts",
    source: 'import { ok } from "../../http/envelope.ts";\n\nexport const answer = ok;',
    rule: "style/noRestrictedImports",
  },
  {
    path: "server/src/webhooks/routes.ts",
    source: 'import { loadCharge } from "../charges/charge.ts";\n\nexport const load = loadCharge;',
    rule: "style/noRestrictedImports",
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
    rule: "plugin",
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
    path: "server/src/deposits/schema.ts",
    source: 'import { pageQuery } from "../http/pagination.ts";\n\nexport const query = pageQuery;',
    rule: undefined,
  },
  {
    path: "server/src/domain/a-rule.ts",
    source: 'import { zero } from "./money.ts";\n\nexport const nothing = zero;',
    rule: undefined,
  },
];

const root = join(import.meta.dirname, "..");
const yard = mkdtempSync(join(tmpdir(), "daric-planted-"));
try {
  for (const name of ["biome.json", "lint", ".gitignore"]) {
    cpSync(join(root, name), join(yard, name), { recursive: true });
  }
  for (const { path, source } of planted) {
    mkdirSync(dirname(join(yard, path)), { recursive: true });
    writeFileSync(join(yard, path), `${source}\n`);
  }
  // The file rules of the project are told apart from ignored files by git.
  execFileSync("git", ["init", "--quiet"], { cwd: yard });
  const failures = check(planted, reportedRules());
  if (failures.length > 0) throw new Error(`the linter does not do its work:\n${failures.join("\n")}`);
  process.stdout.write(`${planted.length} planted files were judged as they should be\n`);
} finally {
  rmSync(yard, { recursive: true, force: true });
}

/** The rules that each file was reported for. */
function reportedRules(): Map<string, string[]> {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const run = spawnSync(
    process.execPath,
    [biome, "lint", "--reporter=json", "--max-diagnostics=none", "tron", "postgres", "devchain", "server"],
    { cwd: yard, encoding: "utf8" },
  );
  const report = JSON.parse(run.stdout) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[];
  };
  const rules = new Map<string, string[]>();
  for (const { category, location } of report.diagnostics) {
    const path = typeof location.path === "string" ? location.path : location.path.file;
    rules.set(path, [...(rules.get(path) ?? []), category.replace(/^lint\//, "")]);
  }
  return rules;
}

function check(files: readonly Planted[], reported: ReadonlyMap<string, string[]>): string[] {
  return files.flatMap(({ path, rule }) => {
    const rules = reported.get(path) ?? [];
    if (rule === undefined && rules.length > 0)
      return [`${path} is clean but was reported for ${rules.join(", ")}`];
    if (rule !== undefined && !rules.includes(rule)) {
      return [`${path} breaks ${rule} but was reported for ${rules.join(", ") || "nothing"}`];
    }
    return [];
  });
}
