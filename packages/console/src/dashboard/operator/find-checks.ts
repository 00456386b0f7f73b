import type { Queryable } from "@daric/postgres/sql";
import { findProcessChecks, type ProcessCheck } from "../../alerts/process-checks.ts";
import type { CheckStatus, Status } from "../../status/status.ts";

/**
 * The checks of this process, and whether another one reads the chain. Then the checks of the other processes that fail or that this
 * process does not have. Only theirs name a process.
 */
export async function findChecks(db: Queryable, status: Status): Promise<(CheckStatus | ProcessCheck)[]> {
  const reader = readerCheck(status);
  const own = [...status.checks, ...(reader ? [reader] : [])];
  const names = new Set(own.map(({ name }) => name));
  const others = await findProcessChecks(db, { except: status.process.name });
  return [...own, ...others.filter(({ name, ok }) => !ok || !names.has(name))];
}

/** Blocks come every few seconds: an older newest one means that no process reads on. */
const OLD_SECONDS = 120;

/**
 * Judges the reading of the chain by the database, for a process that does not read it itself: another process may have stopped. The
 * watcher has a check of its own, then this is undefined.
 */
export function readerCheck({ process, reading }: Status): CheckStatus | undefined {
  if (process.roles.includes("watcher")) return undefined;
  const { leader, scanned } = reading ?? {};
  const place = scanned && `complete to block ${scanned.number}, ${Math.round(scanned.ageSeconds)} s old`;
  // The clock of a local chain may stop.
  const isOld = scanned !== undefined && process.network !== "devnet" && scanned.ageSeconds > OLD_SECONDS;
  const fault = leader === undefined ? "no process reads the chain" : isOld ? "too old" : undefined;
  const detail = [place ?? "no block was read yet", fault].filter(Boolean).join(": ");
  return { name: "reader", ok: fault === undefined && scanned !== undefined, detail };
}
