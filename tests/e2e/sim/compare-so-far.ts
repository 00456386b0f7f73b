import { listStored, type StoredDepositRow } from "./ledger.ts";
import { depositName, type Payment, paymentsToUs } from "./model.ts";
import { type Run, seedStartMs } from "./run.ts";

/** A payment is seen within this time of its block, final or not. */
const SEEN_WITHIN_MS = 60_000;

/** Requires at any moment that no false payment is confirmed, and that no final one waits long. */
export async function compareSoFar(run: Run, faults: string[]): Promise<void> {
  const { chain, simCharges, database, finalSince, nowMs, watchers } = run;
  const final = paymentsToUs(chain.movements(chain.solidNumber()), simCharges);
  for (const name of final.keys()) if (!finalSince.has(name)) finalSince.set(name, nowMs());
  const stored = await listStored(database.db);
  const confirmed = new Set(stored.filter(({ status }) => status === "CONFIRMED").map(depositName));
  for (const name of confirmed) if (!final.has(name)) faults.push(`${name} is CONFIRMED and not final`);
  const bornMs = seedStartMs + Math.max(...watchers.map((watcher) => watcher.bornMs()));
  if (!run.isAlone && !run.isClockLate() && !run.hasQuorum)
    faults.push(...unseenSoFar(run, { stored, bornMs }));
  if (run.honestSinceMs === undefined || run.isClockLate()) return;
  for (const [name, sinceMs] of finalSince) {
    const waitedMs = nowMs() - Math.max(sinceMs, run.honestSinceMs, bornMs);
    if (waitedMs <= run.confirmedWithinMs || confirmed.has(name) || isUnannounced(run, final.get(name)))
      continue;
    const standing = stored.find((deposit) => depositName(deposit) === name);
    const is = standing === undefined ? "not booked" : `${standing.status} in block ${standing.blockNumber}`;
    faults.push(`${name} is final for ${waitedMs} ms in block ${final.get(name)?.blockNumber}, and ${is}`);
  }
}

/** Whether a payment may stay unconfirmed: internal transfers wait for ever if too few nodes store them. */
function isUnannounced({ areInternalsReported }: Run, payment: Payment | undefined): boolean {
  return payment?.source === "internal" && !areInternalsReported;
}

/**
 * Payments that an honest node would have shown by now. The leading node can hide internal transfers until a
 * quorum compares final blocks.
 */
function unseenSoFar(
  run: Run,
  { stored, bornMs }: { stored: readonly StoredDepositRow[]; bornMs: number },
): string[] {
  const { chain, simCharges, includedSince, nowMs } = run;
  const included = paymentsToUs(chain.movements(chain.head().number), simCharges);
  for (const name of includedSince.keys()) if (!included.has(name)) includedSince.delete(name);
  for (const name of included.keys()) if (!includedSince.has(name)) includedSince.set(name, nowMs());
  const seen = new Set(stored.map(depositName));
  return [...includedSince]
    .filter(([name]) => !isUnannounced(run, included.get(name)))
    .filter(([name, sinceMs]) => !seen.has(name) && nowMs() - Math.max(sinceMs, bornMs) > SEEN_WITHIN_MS)
    .map(([name]) => `${name} is in the chain for more than ${SEEN_WITHIN_MS} ms and not seen`);
}
