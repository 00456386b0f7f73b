import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PS_TIMEOUT_MS = 5_000;

/** Whether a process with this pid exists, also of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether `pid` was started with this argument. Pids are reused, so one from a file is checked here before it gets
 * a signal. The command line is readable even where other facts of another user's process are not. "unknown" is a
 * living process that the system hides. Synchronous, because it also runs at exit.
 */
export function hasArgument(pid: number, argument: string): "yes" | "no" | "unknown" {
  if (!isAlive(pid)) return "no";
  try {
    const found = process.platform === "linux" ? readArguments(pid) : runPs(pid);
    return found.includes(argument) ? "yes" : "no";
  } catch {
    return isAlive(pid) ? "unknown" : "no";
  }
}

/** A unique identity of a process: its pid and start time, since pids are reused. Undefined if it does not exist. */
export function identifyProcess(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  try {
    return `${pid} ${process.platform === "linux" ? readStartTicks(pid) : readStartTime(pid)}`;
  } catch {
    return isAlive(pid) ? String(pid) : undefined;
  }
}

/** Field 22 of the line; the second is the program's name, which may contain anything. */
function readStartTicks(pid: number): string {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  const afterName = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return afterName[19] ?? "";
}

function readStartTime(pid: number): string {
  const flags = ["-o", "lstart=", "-p", String(pid)];
  return execFileSync("ps", flags, { encoding: "utf8", timeout: PS_TIMEOUT_MS }).trim();
}

function readArguments(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
}

function runPs(pid: number): string[] {
  const flags = ["-ww", "-o", "command=", "-p", String(pid)];
  return execFileSync("ps", flags, { encoding: "utf8", timeout: PS_TIMEOUT_MS }).trim().split(" ");
}
