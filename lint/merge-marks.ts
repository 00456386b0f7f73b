import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Git's marks at the start of a line around a conflict. */
const MARKS = "^(<{7}|>{7}|[|]{7})( |$)|^={7}$";

/** Files that `patch` and merge tools leave behind: the earlier text, and rejected changes. */
const LEFTOVERS = ["*.orig", "*.rej"];

/** The leftovers of an unfinished merge: marked lines as `file:line:text`, and files of merge tools. */
export function findMergeMarks(root: string): string[] {
  const lines = git(root, ["grep", "--untracked", "--line-number", "--null", "-I", "-E", MARKS]);
  const marks = lines
    .map((line) => line.split("\0"))
    .filter(([path = "", number]) => !isUnderline(join(root, path), Number(number)))
    .map((parts) => parts.join(":"));
  return [...marks, ...git(root, ["ls-files", "--cached", "--others", "--exclude-standard", ...LEFTOVERS])];
}

/** Runs git and returns the lines of its output. */
function git(root: string, options: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync("git", options, { cwd: root, encoding: "utf8" });
  // `git grep` exits with 1 where it finds nothing.
  if (status === null || status > 1) throw new Error(`git ${options[0]} failed: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "");
}

/**
 * Whether the line underlines a heading of a Markdown file. Such a heading follows an empty line or begins the
 * file.
 */
function isUnderline(path: string, number: number): boolean {
  if (!path.endsWith(".md")) return false;
  const lines = readFileSync(path, "utf8").split("\n");
  const [before = "", above = "", line] = [lines[number - 3], lines[number - 2], lines[number - 1]];
  return line === "=======" && before.trim() === "" && above.trim() !== "";
}
