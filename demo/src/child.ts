import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { StartError } from "./settings.ts";

/** A program that runs beside us and is started again when it ends by itself. */
export type Child = {
  readonly name: string;
  pid(): number | undefined;
  /** Throws a StartError with the end of its log when the program has given up. */
  assertAlive(): Promise<void>;
  /** Asks it to end, and ends it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

const MAX_RESTARTS = 5;
const RESTART_WAIT_MS = 1_000;
const exitWithParent = fileURLToPath(new URL("./exit-with-parent.js", import.meta.url));

/** Starts a Node program with its output in a log file. `onRestart` is called whenever its pid has changed. */
export function startChild(options: {
  name: string;
  script: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  onRestart: () => void;
}): Child {
  const log = openSync(options.logFile, "a", 0o600);
  let process_: ChildProcess;
  let isStopping = false;
  let restarts = 0;
  let failure: string | undefined;

  function launch(): void {
    process_ = spawn(process.execPath, ["--import", exitWithParent, options.script, ...options.args], {
      env: options.env,
      stdio: ["ignore", log, log, "ipc"],
    });
    process_.once("exit", (code, signal) => void afterExit(signal ?? `code ${code}`));
  }

  async function afterExit(reason: string): Promise<void> {
    if (isStopping) return;
    restarts += 1;
    if (restarts > MAX_RESTARTS) {
      failure = reason;
      return;
    }
    await sleep(RESTART_WAIT_MS);
    if (isStopping) return;
    launch();
    options.onRestart();
  }

  launch();
  return {
    name: options.name,
    pid: () => process_.pid,
    assertAlive: async () => {
      if (failure === undefined) return;
      const lines = (await readFile(options.logFile, "utf8")).trimEnd().split("\n").slice(-8);
      throw new StartError(
        `${options.name} ended (${failure}). The end of ${options.logFile}:\n${lines.join("\n")}`,
      );
    },
    stop: async (graceMs) => {
      isStopping = true;
      await end(process_, graceMs);
    },
  };
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}
