import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

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
 */
export async function hasArgument(pid: number, argument: string): Promise<"yes" | "no" | "unknown"> {
  if (!isAlive(pid)) return "no";
  try {
    const found = process.platform === "linux" ? await readArguments(pid) : await askPs(pid);
    return found.includes(argument) ? "yes" : "no";
  } catch {
    return isAlive(pid) ? "unknown" : "no";
  }
}

async function readArguments(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
}

async function askPs(pid: number): Promise<string[]> {
  const flags = ["-ww", "-o", "command=", "-p", String(pid)];
  const { stdout } = await promisify(execFile)("ps", flags, { timeout: 5_000 });
  return stdout.trim().split(" ");
}
