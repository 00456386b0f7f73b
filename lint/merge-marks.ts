import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Git's marks at the start of a line around a conflict. */
const MARKS = "^(<{7}|>{7}|[|]{7})( |$)|^={7}$";

/** The conflict marks in a repository's files, as `file:line:text`. */
export function findMergeMarks(root: string): string[] {
  const options = ["--untracked", "--line-number", "--null", "-I", "-E", MARKS];
  const { status, stdout, stderr } = spawnSync("git", ["grep", ...options], { cwd: root, encoding: "utf8" });
  // `git grep` exits with 1 without a match.
  if (status === null || status > 1) throw new Error(`git grep failed: ${stderr}`);
  const found = stdout.split("\n").filter((line) => line !== "");
  return found
    .map((line) => line.split("\0"))
    .filter(([path = "", number]) => !isUnderline(join(root, path), Number(number)))
    .map((parts) => parts.join(":"));
}

/** Whether the line underlines a heading, which a Markdown file has after an empty line or at its start. */
function isUnderline(path: string, number: number): boolean {
  if (!path.endsWith(".md")) return false;
  const lines = readFileSync(path, "utf8").split("\n");
  const [before = "", above = "", line] = [lines[number - 3], lines[number - 2], lines[number - 1]];
  return line === "=======" && before.trim() === "" && above.trim() !== "";
}
