import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The rules that a comment may silence for a line. Import rules and the project's own rules are not among them. */
const SILENCEABLE = [
  "complexity/noImportantStyles",
  "complexity/useMaxParams",
  "style/noProcessEnv",
  "style/useConsistentTypeDefinitions",
  "suspicious/noConsole",
  "suspicious/noExplicitAny",
];
const SILENCER = /biome-ignore\S*(?:\s+\S+)?/g;

const planted: readonly string[] = [
  "// biome-ignore lint/style/noRestrictedImports: because",
  "/* biome-ignore lint/correctness/noUndeclaredDependencies: because */",
  "// biome-ignore lint/plugin: because",
  "// biome-ignore lint/plugin/no-brand-cast: because",
  "// biome-ignore lint: because",
  "// biome-ignore-all lint/style/noRestrictedImports: because",
  "// biome-ignore-all lint/style/noProcessEnv: because",
  "// biome-ignore-start lint/suspicious/noExplicitAny: because",
];

/** Reports comments in source code that silence any other rule, and planted comments that were not found. */
export function findSilencedRules(): string[] {
  const root = join(import.meta.dirname, "..");
  const git = ["ls-files", "--cached", "--others", "--exclude-standard", "*/src/*", "*/bin/*"];
  const files = execFileSync("git", git, { cwd: root, encoding: "utf8" }).split("\n");
  const found = files
    .filter((path) => path !== "" && !path.endsWith(".test.ts") && existsSync(join(root, path)))
    .flatMap((path) =>
      silencedIn(readFileSync(join(root, path), "utf8")).map(
        (text) => `${path} silences the linter: ${text}`,
      ),
    );
  const missed = planted.filter((text) => silencedIn(text).length === 0);
  return [...found, ...missed.map((text) => `the planted "${text}" was not found`)];
}

function silencedIn(source: string): string[] {
  const quiet = SILENCEABLE.map((rule) => `biome-ignore lint/${rule}:`);
  return [...source.matchAll(SILENCER)].map(([text]) => text).filter((text) => !quiet.includes(text));
}
