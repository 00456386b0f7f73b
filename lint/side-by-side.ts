import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";

/**
 * Runs scripts of the package in parallel and prints the output of each when it ends. Fails if one of them fails.
 * Each argument is a script with its own arguments. The last one starts first, so name the longest last.
 */
const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const PATH = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
const started = performance.now();

/** Simultaneous scripts. Most keep one core busy, with short waits. */
const LANES = availableParallelism() + 1;

const waiting = process.argv.slice(2);
const codes: number[] = [];
await Promise.all(Array.from({ length: LANES }, lane));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

async function lane(): Promise<void> {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) codes.push(await run(next));
}

/** Runs a script as npm does, without npm's start of half a second. Returns the exit code. */
function run(script: string): Promise<number> {
  const [name = "", ...given] = script.split(" ");
  const command = scripts[name];
  if (command === undefined) throw new Error(`there is no script ${name}`);
  const child = spawn([command, ...given].join(" "), {
    cwd: root,
    env: { ...process.env, PATH },
    shell: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const end = code === 0 ? "done" : "FAILED";
      process.stdout.write(`${output}${script}: ${end} after ${seconds} s\n`);
      resolve(code ?? 1);
    });
  });
}
