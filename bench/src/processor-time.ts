import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in ticks of 10 ms, whatever the hardware's clock. */
const US_PER_TICK = 10_000;

/** Where the fields stand behind the name of the process, which may hold blanks: parent, and time in user and system. */
const FIELD = { parent: 1, user: 11, system: 12, userOfDead: 13, systemOfDead: 14 };

/** CPU that a process with all its threads has used since it began, in microseconds. */
export function processorTimeOf(pid: number): number {
  const fields = statOf(pid);
  return (numberAt(fields, FIELD.user) + numberAt(fields, FIELD.system)) * US_PER_TICK;
}

/**
 * The same for a server that works in children of its own, like PostgreSQL: itself, those that live and those that
 * have ended.
 */
export function processorTimeOfTree(pid: number): number {
  const fields = statOf(pid);
  const ended = (numberAt(fields, FIELD.userOfDead) + numberAt(fields, FIELD.systemOfDead)) * US_PER_TICK;
  return childrenOf(pid).reduce((sum, child) => sum + timeOrNone(child), processorTimeOf(pid) + ended);
}

/** Memory of a process that is in use, in bytes, with all that it shares with others. */
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

/** A child that ended since it was listed is counted by its parent the next time. */
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
