import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { faultsOfImports, faultsOfTable, fences } from "./import-rules.ts";
import { plantedComments, plantedImports, ruleViolations } from "./planted-violations.ts";
import { silencedIn } from "./silenced-rules.ts";

/**
 * Proves that our own rules of lint and imports work: each planted file or import breaks one, and must be reported for it. A rule
 * without a violation is a fault too. It runs when the change touches the rules or the linter's version.
 */
const root = join(import.meta.dirname, "..");
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
const { plugins } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as {
  plugins: (string | { path: string })[];
};

/** The workspaces in which files are planted for the linter. */
const lintedFolders = ["console", "domain", "runtime", "tron"]
  .map((name) => `packages/${name}`)
  .concat("web/dashboard");

if (isUnchanged()) {
  process.stdout.write("lint/ and biome.json are unchanged: no violation is planted\n");
} else {
  const faults = [...checkImports(), ...checkRules(lintPlanted())];
  if (faults.length > 0) throw new Error(`${faults.length} rules do not work:\n${faults.join("\n")}`);
  process.stdout.write(`${ruleViolations.length + plantedImports.length} planted violations were reported\n`);
}

/** Whether the rules and the linter are those of the commit before this change. Without history they count as changed. */
function isUnchanged(): boolean {
  const git = (...options: string[]) => spawnSync("git", options, { cwd: root, encoding: "utf8" });
  const rules = ["--", "lint", "biome.json", "package.json"];
  const base = git("merge-base", "HEAD", "main").stdout;
  const isBranch = base !== "" && base !== git("rev-parse", "HEAD").stdout;
  const added = git("ls-files", "--others", "--exclude-standard", ...rules);
  const changed = git("diff", "--quiet", isBranch ? base.trim() : "HEAD^", ...rules);
  return added.stdout === "" && changed.status === 0;
}

function checkImports(): string[] {
  const unseen = plantedImports.flatMap(([path, from, fault]) =>
    faultsOfImports(path, `import "${from}";`).some((line) => line.includes(fault))
      ? []
      : [`${path} imports ${from}, and is not reported: ${fault}`],
  );
  const untried = fences.filter(({ why }) => !plantedImports.some(([, , fault]) => fault === why));
  const table = { "apps/daric": { above: "below", below: "" } };
  const isOrdered = faultsOfTable(["apps/daric/src/above/a.ts"], table).length === 2;
  return [
    ...unseen,
    ...untried.map(({ why }) => `nothing was planted against: ${why}`),
    ...(isOrdered ? [] : ["a table out of order passes, or one with a folder that does not exist"]),
    ...plantedComments
      .filter((comment) => silencedIn(comment).length === 0)
      .map((comment) => `a comment silences the linter, and is not reported: ${comment}`),
  ];
}

/** The linter's errors for the planted files: for each path the rules that it reports. */
function lintPlanted(): ReadonlyMap<string, readonly string[]> {
  const sandbox = mkdtempSync(join(tmpdir(), "daric-planted-"));
  try {
    const manifests = ["", ...lintedFolders].map((workspace) => join(workspace, "package.json"));
    for (const name of ["biome.json", "lint", ".gitignore", ...manifests])
      cpSync(join(root, name), join(sandbox, name), { recursive: true });
    for (const { path, source } of ruleViolations) {
      mkdirSync(dirname(join(sandbox, path)), { recursive: true });
      writeFileSync(join(sandbox, path), `${source}\n`);
    }
    // Git separates the project's files from ignored ones.
    execFileSync("git", ["init", "--quiet"], { cwd: sandbox });
    const how = ["lint", "--reporter=json", "--max-diagnostics=none", "--diagnostic-level=error"];
    const { stdout } = spawnSync(process.execPath, [biome, ...how, ...lintedFolders], {
      cwd: sandbox,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    return rulesByPath(stdout);
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

function rulesByPath(report: string): ReadonlyMap<string, readonly string[]> {
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { category: string; message: string; location: { path: string | { file: string } } }[];
  };
  const names = pluginsByMessage();
  const rules = new Map<string, string[]>();
  for (const { category, message, location } of diagnostics) {
    const path = typeof location.path === "string" ? location.path : location.path.file;
    const rule = category === "plugin" ? (names.get(message) ?? message) : category.replace(/^lint\//, "");
    rules.set(path, [...(rules.get(path) ?? []), rule]);
  }
  return rules;
}

/** Our own rules by their messages, since the linter calls all of them a plugin. */
function pluginsByMessage(): ReadonlyMap<string, string> {
  return new Map(
    plugins.map((plugin) => {
      const path = typeof plugin === "string" ? plugin : plugin.path;
      const [, message = ""] = /message="([^"]*)"/.exec(readFileSync(join(root, path), "utf8")) ?? [];
      return [message, `plugin/${basename(path, ".grit")}`];
    }),
  );
}

function checkRules(reported: ReadonlyMap<string, readonly string[]>): string[] {
  const ours = [...pluginsByMessage().values()];
  const untried = ours.filter((rule) => !ruleViolations.some((violation) => violation.rule === rule));
  const unseen = ruleViolations.filter(({ path, rule }) => !reported.get(path)?.includes(rule));
  return [
    ...untried.map((rule) => `${rule} has no planted violation`),
    ...unseen.map(
      ({ path, rule }) =>
        `${path} breaks ${rule}, and is reported for ${reported.get(path)?.join() ?? "nothing"}`,
    ),
  ];
}
