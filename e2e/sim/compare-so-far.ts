import { listStored, type StoredDepositRow } from "./ledger.ts";
import { depositName, type Payment, paymentsToUs } from "./model.ts";
import { type Run, seedStartMs } from "./run.ts";

/** It is seen within this of being in the chain, final or not. */
const SEEN_WITHIN_MS = 60_000;

/** Nothing false is confirmed, and nothing that is final waits for long, at any moment. */
export async function compareSoFar(run: Run, faults: string[]): Promise<void> {
  const { chain, tills, database, finalSince, nowMs, watchers } = run;
  const final = paymentsToUs(chain.movements(chain.solidNumber()), tills);
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
    const standing = stored.find((one) => depositName(one) === name);
    const is = standing === undefined ? "not booked" : `${standing.status} in block ${standing.blockNumber}`;
    faults.push(`${name} is final for ${waitedMs} ms in block ${final.get(name)?.blockNumber}, and ${is}`);
  }
}

/** What contracts send waits for ever where too few nodes store it. */
function isUnannounced({ areInternalsReported }: Run, payment: Payment | undefined): boolean {
  return payment?.source === "internal" && !areInternalsReported;
}

/**
 * What has been in the chain for so long that whoever asks an honest node has seen it. What a leader hides that no root covers is only
 * seen where a quorum compares what is final.
 */
function unseenSoFar(
  run: Run,
  { stored, bornMs }: { stored: readonly StoredDepositRow[]; bornMs: number },
): string[] {
  const { chain, tills, includedSince, nowMs } = run;
  const included = paymentsToUs(chain.movements(chain.head().number), tills);
  for (const name of includedSince.keys()) if (!included.has(name)) includedSince.delete(name);
  for (const name of included.keys()) if (!includedSince.has(name)) includedSince.set(name, nowMs());
  const seen = new Set(stored.map(depositName));
  return [...includedSince]
    .filter(([name]) => !isUnannounced(run, included.get(name)))
    .filter(([name, sinceMs]) => !seen.has(name) && nowMs() - Math.max(sinceMs, bornMs) > SEEN_WITHIN_MS)
    .map(([name]) => `${name} is in the chain for more than ${SEEN_WITHIN_MS} ms and not seen`);
}
