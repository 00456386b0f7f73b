import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { groups, importRulesOf } from "./import-rules.ts";
import { findFaultsOfTable, type PlantedImports, plantedImports, workspaces } from "./import-violations.ts";
import { findBrokenRules, readImports } from "./read-imports.ts";
import { ruleViolations } from "./rule-violations.ts";
import { findSilencedRules } from "./silenced-rules.ts";
import { checkTable } from "./table-violations.ts";

/**
 * Proves that the linter and the import rules work. Each planted file breaks a rule and must be reported for it. Each
 * planted import must be reported by the message of its import rule, or not at all. Then every import rule is removed
 * in turn, and exactly its own violations must pass: a rule without a test could vanish unnoticed.
 */
type Finding = { rule: string; message: string; line: number };
type Findings = ReadonlyMap<string, readonly Finding[]>;

const root = join(import.meta.dirname, "..");
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
const settings = readFileSync(join(root, "biome.json"), "utf8");
const plugins = readPlugins();
const imports = plantedImports();
const tried = new Set(
  imports.flatMap((file) => file.imports.flatMap(({ importRule }) => importRule?.message ?? [])),
);
const SHOWN = 20;

const faults = [...findFaultsOfTable(), ...checkTable(), ...findSilencedRules()];
if (faults.length > 0) throw new Error(faults.join("\n"));
const sandbox = mkdtempSync(join(tmpdir(), "daric-planted-"));
try {
  layOut();
  const failures = [...checkRules(lint()), ...checkImports()];
  if (failures.length > 0) {
    throw new Error(
      `the linter fails ${failures.length} times, first:\n${failures.slice(0, SHOWN).join("\n")}`,
    );
  }
  const count = imports.reduce((sum, file) => sum + file.imports.length, 0);
  process.stdout.write(
    `${ruleViolations.length} planted files and ${count} planted imports got the expected verdict; ` +
      `${tried.size} import rules were missed when they were removed\n`,
  );
} finally {
  rmSync(sandbox, { recursive: true, force: true });
}

function layOut(): void {
  for (const name of ["biome.json", "lint", ".gitignore", ...["", ...workspaces].map(manifestIn)]) {
    cpSync(join(root, name), join(sandbox, name), { recursive: true });
  }
  for (const { path, source } of ruleViolations) plant(path, source);
  // Git separates the project's files from ignored ones.
  execFileSync("git", ["init", "--quiet"], { cwd: sandbox });
}

function manifestIn(workspace: string): string {
  return join(workspace, "package.json");
}

function plant(path: string, source: string): void {
  mkdirSync(dirname(join(sandbox, path)), { recursive: true });
  writeFileSync(join(sandbox, path), `${source}\n`);
}

/** An import on line `n`, in one of the possible forms. */
function written(from: string, n: number): string {
  const ways = [
    `import { a as a${n} } from "${from}";`,
    `import type { A as A${n} } from "${from}";`,
    `export { b as b${n} } from "${from}";`,
    `export const c${n} = await import("${from}");`,
    `import "${from}";`,
    `export * from "${from}";`,
    `export {} from "${from}";`,
  ];
  return ways[n % ways.length] ?? "";
}

/** Our own rules by their messages: the linter calls all of them a plugin. */
function readPlugins(): ReadonlyMap<string, string> {
  const { plugins } = JSON.parse(settings) as { plugins: (string | { path: string })[] };
  return new Map(
    plugins.map((plugin) => {
      const path = typeof plugin === "string" ? plugin : plugin.path;
      const reported = [...readFileSync(join(root, path), "utf8").matchAll(/message="([^"]*)"/g)];
      if (reported.length !== 1) throw new Error(`${path} must say one thing, and says ${reported.length}`);
      return [reported[0]?.[1] ?? "", `plugin/${basename(path, ".grit")}`];
    }),
  );
}

/** The linter's findings in the sandbox, by file. */
function lint(): Findings {
  const run = spawnSync(
    process.execPath,
    [biome, "lint", "--reporter=json", "--max-diagnostics=none", ...workspaces],
    { cwd: sandbox, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const { diagnostics } = JSON.parse(run.stdout) as {
    diagnostics: {
      severity: string;
      category: string;
      message: string;
      location: { path: string | { file: string }; start?: { line: number } };
    }[];
  };
  const findings = new Map<string, Finding[]>();
  // Only errors fail the build.
  for (const { category, message, location } of diagnostics.filter(({ severity }) => severity === "error")) {
    const path = typeof location.path === "string" ? location.path : location.path.file;
    const rule =
      category === "plugin"
        ? (plugins.get(message) ?? `a plugin that says "${message}"`)
        : category.replace(/^lint\//, "");
    const finding = { rule, message, line: location.start?.line ?? 0 };
    findings.set(path, [...(findings.get(path) ?? []), finding]);
  }
  return findings;
}

function checkRules(findings: Findings): string[] {
  const { preset, ...groups } = JSON.parse(settings).linter.rules as Record<string, Record<string, unknown>>;
  const set = Object.entries(groups).flatMap(([group, rules]) =>
    Object.keys(rules).flatMap((rule) => (rules[rule] === "off" ? [] : `${group}/${rule}`)),
  );
  const unproven = [...set, ...plugins.values()].filter(
    (rule) => !ruleViolations.some((violation) => violation.rule === rule),
  );
  const unseen = ruleViolations.flatMap(({ path, rule }) => {
    const rules = (findings.get(path) ?? []).map((finding) => finding.rule);
    return rules.includes(rule)
      ? []
      : [`${path} breaks ${rule} but was reported for ${rules.join(", ") || "nothing"}`];
  });
  return [...unproven.map((rule) => `${rule} has no planted violation`), ...unseen];
}

/**
 * The planted imports with a wrong report: under all rules, and under all but one of them. Every rule of every
 * folder is tried.
 */
function checkImports(): string[] {
  const idle = groups
    .flatMap(({ importRules }) => importRules)
    .filter(({ message }) => !tried.has(message))
    .map(({ message }) => `nothing was planted against the import rule "${message}"`);
  return idle.concat(imports.flatMap(findWrongReports));
}

function findWrongReports({ path, imports }: PlantedImports): string[] {
  const read = readImports(path, imports.map(({ from }, n) => written(from, n)).join("\n"));
  const rules = importRulesOf(path);
  return [undefined, ...rules].flatMap((removed) => {
    const broken = findBrokenRules(
      path,
      read,
      rules.filter((rule) => rule !== removed),
    );
    const said = new Map<number, string[]>();
    for (const { line, message } of broken) said.set(line, [...(said.get(line) ?? []), message]);
    return imports.flatMap(({ from, importRule }, n) => {
      const reported = (said.get(n + 1) ?? []).join();
      const due = importRule === undefined || importRule === removed ? "" : importRule.message;
      return reported === due
        ? []
        : [`${path} imports ${from}: it is reported as "${reported}", not as "${due}"`];
    });
  });
}
