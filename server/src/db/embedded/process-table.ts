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
    const found = process.platform === "linux" ? readArguments(pid) : askPs(pid);
    return found.includes(argument) ? "yes" : "no";
  } catch {
    return isAlive(pid) ? "unknown" : "no";
  }
}

function readArguments(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
}

function askPs(pid: number): string[] {
  const flags = ["-ww", "-o", "command=", "-p", String(pid)];
  return execFileSync("ps", flags, { encoding: "utf8", timeout: PS_TIMEOUT_MS }).trim().split(" ");
}
