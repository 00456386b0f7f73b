import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import { join } from "node:path";

/** Debian's folder with the programs of each version of PostgreSQL. */
const POSTGRESQL = "/usr/lib/postgresql";
/** Root runs programs as this user, since PostgreSQL, which Patroni starts, refuses root. */
const NOBODY = 65_534;

export const ordinaryUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Gives a folder to the user of the programs. */
export async function openFolder(folder: string): Promise<void> {
  const { uid, gid } = ordinaryUser;
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
}

/** The folder with the programs of this machine's newest PostgreSQL. */
export function postgresqlPrograms(): string | undefined {
  const versions = listOf(POSTGRESQL).toSorted((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(POSTGRESQL, version, "bin"))
    .find((bin) => has(join(bin, "postgres")));
}

/** The missing programs for a fail-over, by name. */
export function missingPrograms(): string[] {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin"];
  const missing = ["patroni", "etcd", "haproxy"].filter(
    (name) => !folders.some((folder) => has(join(folder, name))),
  );
  return postgresqlPrograms() === undefined ? [...missing, `${POSTGRESQL}/*/bin/postgres`] : missing;
}

/** Starts a program of this machine as an ordinary user, with `folder` as its home. */
export function startProgram(name: string, args: readonly string[], folder: string): ChildProcess {
  const path = `${process.env.PATH}:/usr/sbin`;
  return spawn(name, args, {
    ...ordinaryUser,
    cwd: folder,
    env: { PATH: path, HOME: folder, LC_ALL: "C" },
    stdio: process.env.FAIL_OVER_LOG === undefined ? "ignore" : "inherit",
  });
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Kills this process and its descendants at once, like the loss of its machine. */
export function killTree(pid: number): void {
  signalTree(pid, "SIGKILL");
}

/** Sends a signal to this process and its descendants. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const children = childrenOf(pid);
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself meanwhile.
  }
  for (const child of children) signalTree(child, signal);
}

function childrenOf(parent: number): number[] {
  const pids = listOf("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** Field 4 of /proc/PID/stat, behind the name in brackets, which may contain blanks: proc(5). */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function has(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
