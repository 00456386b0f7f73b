import type { CheckStatus, Status } from "../../status/status.ts";

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
