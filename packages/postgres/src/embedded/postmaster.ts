import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresBinaries } from "./binaries.ts";
import { explainSpawnError, ownFolder, SERVER_ENVIRONMENT } from "./cluster.ts";
import { hasArgument, isAlive } from "./process-table.ts";
import type { ServerUser } from "./server-user.ts";

const POLL_MS = 50;
const STOP_STEPS: readonly StopStep[] = [
  { signal: "SIGINT", waitMs: 20_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
];

type StopStep = {
  signal: "SIGINT" | "SIGQUIT" | "SIGKILL";
  waitMs: number;
};

export type Postmaster = {
  pid: number;
  port: number;
};

/**
 * Returns the running server of this data directory. Removes a lock file whose pid another program has, since
 * PostgreSQL would refuse to start.
 */
export async function findPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const file = join(dataDirectory, "postmaster.pid");
  const [pid = "", , , port = ""] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!(Number(pid) > 0)) return undefined;
  const found = hasArgument(Number(pid), markOf(dataDirectory));
  if (found === "yes") return { pid: Number(pid), port: Number(port) };
  if (found === "no" && isAlive(Number(pid))) await rm(file, { force: true });
  return undefined;
}

export function isPostmasterOf(pid: number, dataDirectory: string): boolean {
  return hasArgument(pid, markOf(dataDirectory)) === "yes";
}

/** A setting without effect that identifies the server of a folder, wherever the folder moves. */
function markOf(dataDirectory: string): string {
  const { dev, ino } = statSync(dataDirectory, { bigint: true });
  return `daric.cluster=${dev}-${ino}`;
}

/** Starts a server in a session of its own, so that Ctrl-C in a terminal does not reach it. */
export async function spawnPostmaster(options: {
  binaries: PostgresBinaries;
  user: ServerUser;
  dataDirectory: string;
  logFile: string;
  port: number;
  settings: Record<string, string>;
}): Promise<ChildProcess & { pid: number }> {
  const { binaries, user, dataDirectory, logFile, port, settings } = options;
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const flags = [...pairs, markOf(dataDirectory)].flatMap((pair) => ["-c", pair]);
  await rename(logFile, `${logFile}.1`).catch(() => undefined);
  const log = await open(logFile, "a", 0o600);
  try {
    const child = spawn(binaries.postgres, ["-D", ownFolder(dataDirectory), "-p", String(port), ...flags], {
      ...user.ids,
      cwd: dataDirectory,
      env: SERVER_ENVIRONMENT,
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
    });
    await once(child, "spawn").catch((error) => Promise.reject(explainSpawnError(error)));
    child.unref();
    return child as ChildProcess & { pid: number };
  } finally {
    await log.close();
  }
}

/** Stops the server: cleanly first, by force at last. Every wait is bounded. */
export async function stopPostmaster(
  pid: number,
  isRunning: () => boolean,
  steps: readonly StopStep[] = STOP_STEPS,
): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isRunning()) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
      throw error;
    }
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; ) {
      if (!isRunning()) return;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) did not stop`);
}

export async function readLogTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  return text.trim().split("\n").slice(-15).join("\n");
}
