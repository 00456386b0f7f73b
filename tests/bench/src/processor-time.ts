import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts ticks of 10 ms on all hardware. */
const US_PER_TICK = 10_000;

/** Fields of /proc/PID/stat after the name, which may contain blanks: parent, and time in user and system mode. */
const FIELD = { parent: 1, user: 11, system: 12, userOfDead: 13, systemOfDead: 14 };

/** CPU of a process with all its threads since its start, in microseconds. */
export function processorTimeOf(pid: number): number {
  const fields = statOf(pid);
  return (numberAt(fields, FIELD.user) + numberAt(fields, FIELD.system)) * US_PER_TICK;
}

/** CPU of a server with child processes, such as PostgreSQL: its own, and that of living and dead children. */
export function processorTimeOfTree(pid: number): number {
  const fields = statOf(pid);
  const ended = (numberAt(fields, FIELD.userOfDead) + numberAt(fields, FIELD.systemOfDead)) * US_PER_TICK;
  return childrenOf(pid).reduce((sum, child) => sum + timeOrNone(child), processorTimeOf(pid) + ended);
}

/** Resident memory of a process in bytes, shared pages included. */
export function residentBytesOf(pid: number): number {
  const kB = /^VmRSS:\s{1,99}(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return Number(kB) * 1_024;
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return numberAt(statOf(candidate), FIELD.parent) === pid;
      } catch {
        return false;
      }
    });
}

/** A child that ended meanwhile is counted by its parent the next time. */
function timeOrNone(pid: number): number {
  try {
    return processorTimeOf(pid);
  } catch {
    return 0;
  }
}

function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function numberAt(fields: readonly string[], index: number): number {
  return Number(fields[index] ?? 0);
}
