import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PS_TIMEOUT_MS = 5_000;

/** Whether a process of this number exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether `pid` is the process that was started with this argument. Numbers are reused, so a number from a file
 * must pass here before anything is sent to it. The command line tells it, because it is readable where the other
 * facts about a process of another user are not (root of a container without CAP_SYS_PTRACE).
 *
 * "unknown" is a living process that the system does not show; a dead or half-dead one is "no".
 * Synchronous, because it is also asked while this process is ending.
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

/**
 * A text that is the same for as long as this process lives and another one for every other process, also for a
 * later one of the same number: the number and the time of the start. Nothing when there is no such process.
 */
export function identifyProcess(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  try {
    return `${pid} ${process.platform === "linux" ? readStartTicks(pid) : readStartTime(pid)}`;
  } catch {
    return isAlive(pid) ? String(pid) : undefined;
  }
}

/** Field 22 of the line; the second one is the program's name, which may contain anything. */
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
