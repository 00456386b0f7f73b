import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openLogFile } from "./log-file.ts";
import { DemoError } from "./settings.ts";
import type { Watch } from "./watch.ts";

/** A child process that is restarted when it ends by itself. */
export type Child = {
  pid(): number | undefined;
  /** @throws DemoError with the program's own reason when it has given up. */
  assertAlive(): Promise<void>;
  /** Marks the child as started: a later exit is a failure, an earlier one a refusal to start. */
  markReady(): void;
  /** Asks the child to end, and kills it after `graceMs`. Call it once `stopping` is aborted. */
  stop(graceMs: number): Promise<void>;
};

/** The most consecutive restarts of a child that each time ran for less than STEADY_MS. */
const MAX_RESTARTS = 5;
export const STEADY_MS = 10_000;
const RESTART_WAIT_MS = 1_000;
const CORELESS = ["/bin/sh", "-c", 'ulimit -c 0 && exec "$@"', "sh"];
const exitWithParent = fileURLToPath(new URL("./exit-with-parent.js", import.meta.url));

/**
 * Starts a Node program with its output in a log file. Once `stopping` is aborted nothing is restarted: Ctrl-C
 * signals the whole process group, so a child may end before the demo stops it.
 */
export function startChild(options: {
  name: string;
  script: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** the system writes no core dump of the program, because it holds keys */
  isCoreless?: boolean;
  watch: Watch;
  stopping: AbortSignal;
}): Child {
  const { name, logFile, watch, stopping } = options;
  const log = openLogFile(logFile);
  let process_: ChildProcess;
  let logStart = 0;
  let isReady = false;
  let restarts = 0;
  let launchedMs = 0;
  let failure: string | undefined;

  function launch(): void {
    logStart = log.size();
    launchedMs = performance.now();
    const program = [process.execPath, "--import", exitWithParent, options.script, ...options.args];
    const [command = "", ...args] = options.isCoreless ? [...CORELESS, ...program] : program;
    process_ = spawn(command, args, {
      env: options.env,
      stdio: ["ignore", log.descriptor, log.descriptor, "ipc"],
    });
    process_.once("exit", (code, signal) => void afterExit(signal ?? `code ${code}`, signal !== null));
  }

  async function afterExit(reason: string, wasKilled: boolean): Promise<void> {
    if (stopping.aborted) return;
    restarts = performance.now() - launchedMs < STEADY_MS ? restarts + 1 : 1;
    if (restarts > MAX_RESTARTS || !(isReady || wasKilled)) {
      failure = reason;
      if (isReady) watch.onGivenUp(await explain(reason));
      return;
    }
    await sleep(RESTART_WAIT_MS);
    if (stopping.aborted) return;
    launch();
    watch.onRestart(`${name} ended (${reason}) and was started again.`);
  }

  async function explain(reason: string): Promise<DemoError> {
    // A log beyond its limit is emptied, so its start position is 0 again.
    const start = log.size() < logStart ? 0 : logStart;
    const text = (await readFile(logFile)).subarray(start).toString("utf8");
    return new DemoError(`${name} ended (${reason}). ${lastLines(text, logFile)}`);
  }

  launch();
  return {
    pid: () => process_.pid,
    assertAlive: async () => {
      if (failure !== undefined) throw await explain(failure);
    },
    markReady: () => {
      isReady = true;
    },
    stop: async (graceMs) => {
      await end(process_, graceMs);
      log.close();
    },
  };
}

/** A refusal is plain text after the JSON lines of the log. */
function lastLines(text: string, logFile: string): string {
  const lines = text.trimEnd().split("\n");
  const report = lines.slice(lines.findLastIndex((line) => line.startsWith("{")) + 1);
  if (report.some((line) => line !== "")) return report.slice(-8).join("\n");
  return `The end of ${logFile}:\n${lines.slice(-8).join("\n")}`;
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}
