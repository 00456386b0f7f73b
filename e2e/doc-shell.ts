import { spawn } from "node:child_process";

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

/** Starts a shell in this folder. */
export function startShell(folder: string, env: NodeJS.ProcessEnv): DocShell {
  const child = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  let text = "";
  let count = 0;
  let check = () => {};
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  child.stdout.on("data", (chunk) => {
    text += chunk;
    check();
  });
  child.stdin.write("set -o pipefail\n");
  return {
    printed: () => text,
    errors: () => errors,
    run(code) {
      count += 1;
      const begin = text.length;
      const end = new RegExp(`\\n@@${count} (\\d+)@@\\n`);
      return new Promise((resolve) => {
        check = () => {
          const found = end.exec(text.slice(begin));
          if (found !== null)
            resolve({ code: Number(found[1]), output: text.slice(begin, begin + found.index) });
        };
        child.stdin.write(`${code}\nprintf '\\n@@${count} %s@@\\n' "$?"\n`);
      });
    },
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await closed;
    },
  };
}
