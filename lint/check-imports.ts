import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importRulesOf } from "./import-rules.ts";
import { findBrokenRules, readImports } from "./read-imports.ts";

/** Checks every import of the sources against the import rules of `lint/rooms.ts`. */
const root = join(import.meta.dirname, "..");
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const paths = [...new Set(listed.split("\n"))].filter(
  (path) => /\.[cm]?[jt]sx?$/.test(path) && importRulesOf(path).length > 0 && existsSync(join(root, path)),
);
const faults = paths.flatMap((path) =>
  findBrokenRules(path, readImports(path, readFileSync(join(root, path), "utf8"))).map(
    ({ line, message }) => `${path}:${line}: ${message}`,
  ),
);
if (faults.length > 0) throw new Error(`${faults.length} imports break a rule:\n${faults.join("\n")}`);
process.stdout.write(`the imports of ${paths.length} files keep the rules of lint/rooms.ts\n`);
