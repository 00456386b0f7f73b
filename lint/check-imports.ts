import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOfImports, faultsOfTable } from "./import-rules.ts";
import { silencedIn } from "./silenced-rules.ts";

/** Checks the imports of all sources by `lint/rooms.ts` and the rules beside it, and the comments that silence the linter. */
const root = join(import.meta.dirname, "..");
const git = ["ls-files", "--cached", "--others", "--exclude-standard", "*/*/src/*"];
const listed = execFileSync("git", git, { cwd: root, encoding: "utf8" }).split("\n");
const sources = [...new Set(listed)]
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && existsSync(join(root, path)))
  .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
const walled = sources.filter(({ path }) => !path.startsWith("tests/"));
const faults = [
  ...faultsOfTable(walled.map(({ path }) => path)),
  ...walled.flatMap(({ path, source }) => faultsOfImports(path, source)),
  ...sources.flatMap(({ path, source }) =>
    silencedIn(source).map((comment) => `${path} silences the linter: ${comment}`),
  ),
];
if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.join("\n")}`);
process.stdout.write(`the imports of ${walled.length} files keep the rules of lint/rooms.ts\n`);
