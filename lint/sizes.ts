import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sizesOfRooms } from "./budgets.ts";
import { isGenerated } from "./is-generated.ts";

/**
 * Measures the hand-written source files. The linter bounds each file and function (`biome.json`). This
 * check adds the limit for nearly all files, so that the longest is an exception.
 */
const MAX_LINES = 300;
/** A reviewer reads the whole signer with its policy: lines that are neither blank nor comment. */
const SIGNER = { folder: "apps/signer/src/", lines: 1_200 };
const NO_CODE = /^\s*(\/\/|\/\*|\*|$)/;
/** The English catalogue of the checkout, which is looked up by key. */
const WORDS = "packages/hosted-checkout/src/messages/en.ts";
const NEARLY_ALL = { share: 0.95, lines: 200 };
const root = join(import.meta.dirname, "..");

const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*/*/src/*.ts", "*/*/src/*.tsx"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => path !== "" && !/^tests\//.test(path) && !path.endsWith(".test.ts"))
  .filter((path) => path !== WORDS)
  .flatMap((path) => lengthOf(path) ?? [])
  .sort((left, right) => left.lines - right.lines);

const longest = files.at(-1);
const atShare = files[Math.ceil(files.length * NEARLY_ALL.share) - 1];
process.stdout.write(await sizesOfRooms());
if (longest === undefined || atShare === undefined) throw new Error("no file ships");
process.stdout.write(
  `${files.length} files ship: 95 of 100 have at most ${atShare.lines} lines (limit ${NEARLY_ALL.lines}), ` +
    `the longest, ${longest.path}, has ${longest.lines} (limit ${MAX_LINES})\n`,
);
const signer = files
  .filter(({ path }) => path.startsWith(SIGNER.folder))
  .reduce((sum, { code }) => sum + code, 0);
process.stdout.write(`the signer has ${signer} lines of code (limit ${SIGNER.lines})\n`);
if (signer === 0 || signer > SIGNER.lines) process.exitCode = 1;
if (longest.lines > MAX_LINES || atShare.lines > NEARLY_ALL.lines) process.exitCode = 1;

/** Undefined for a generated file, which has no limit, and for one that git knows and that was just deleted. */
function lengthOf(path: string): { path: string; lines: number; code: number } | undefined {
  try {
    const source = readFileSync(join(root, path), "utf8");
    if (isGenerated(source)) return undefined;
    const lines = source.split("\n");
    return { path, lines: lines.length - 1, code: lines.filter((line) => !NO_CODE.test(line)).length };
  } catch {
    return undefined;
  }
}
