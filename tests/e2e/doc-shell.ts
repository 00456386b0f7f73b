import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The output of a command and its exit code. */
export type ShellOutput = { readonly code: number; readonly output: string };

/** A shell that stays open, so that a block sees the variables and background processes of earlier ones. */
export type DocShell = {
  run(code: string): Promise<ShellOutput>;
  /** all output so far, including background processes */
  printed(): string;
  /** the standard error, which the output of a block does not include */
  errors(): string;
  /** ends the shell and its processes */
  stop(): Promise<void>;
};

/**
 * Starts a shell in this folder. Each block prints into a file of its own. So its output has nothing of a background process of an
 * earlier block.
 */
export function startShell(folder: string, env: NodeJS.ProcessEnv): DocShell {
  const child = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  let ends = "";
  let count = 0;
  let check = () => {};
  let errors = "";
  const pathOf = (block: number) => join(folder, `.block-${block}.out`);
  // Bash makes the file once it gets to the block.
  const outputOf = (block: number) => (existsSync(pathOf(block)) ? readFileSync(pathOf(block), "utf8") : "");
  child.stderr.on("data", (chunk) => (errors += chunk));
  child.stdout.on("data", (chunk) => {
    ends += chunk;
    check();
  });
  child.stdin.write("set -o pipefail\nexec 3>&1\n");
  return {
    printed: () => Array.from({ length: count }, (_, index) => outputOf(index + 1)).join(""),
    errors: () => errors,
    run(code) {
      count += 1;
      const block = count;
      // With its newline: a chunk may end within the code.
      const end = new RegExp(`^${block} (\\d+)\n`, "m");
      return new Promise((resolve) => {
        check = () => {
          const found = end.exec(ends);
          if (found !== null) resolve({ code: Number(found[1]), output: outputOf(block) });
        };
        const path = `'${pathOf(block).replaceAll("'", "'\\''")}'`;
        child.stdin.write(`exec > ${path}\n${code}\necho "${block} $?" >&3\n`);
      });
    },
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await closed;
    },
  };
}
