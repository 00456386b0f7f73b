import { type Queryable, sql } from "@daric/postgres/sql";
import { type BookedDeposit, listBooked } from "./books.ts";
import { depositName, paymentsToUs } from "./oracle.ts";
import { type Run, seedStartMs } from "./run.ts";

/** An honest payment is confirmed within this of being final, where there is an honest node. */
export const CONFIRMED_WITHIN_MS = 30_000;
/** It is seen within this of being in the chain, final or not. */
const SEEN_WITHIN_MS = 60_000;
/**
 * Whoever is born with a clock that is late takes the blocks that follow only as they are proven by descent, under those of 19
 * witnesses: some slots are missed, and a failure is followed by a pause.
 */
export const PROVING_MS = 25 * 3_000 + 15_000;

/** Nothing false is confirmed, and nothing that is final waits for long, at any moment. */
export async function compareSoFar(run: Run, faults: string[]): Promise<void> {
  const { chain, tills, database, finalSince, nowMs, watchers } = run;
  const final = paymentsToUs(chain.movements(chain.solidNumber()), tills);
  const proven = paymentsToUs(chain.movements(chain.provenNumber()), tills);
  for (const name of proven.keys()) if (!finalSince.has(name)) finalSince.set(name, nowMs());
  const booked = await listBooked(database.db);
  const confirmed = new Set(booked.filter(({ status }) => status === "CONFIRMED").map(depositName));
  for (const name of confirmed) if (!final.has(name)) faults.push(`${name} is CONFIRMED and not final`);
  const bornMs = seedStartMs + Math.max(...watchers.map((watcher) => watcher.bornMs()));
  if (!run.isAlone && !run.isClockLate && !run.hasQuorum)
    faults.push(...unseenSoFar(run, { booked, bornMs }));
  if (run.honestSinceMs === undefined) return;
  if (run.pinnedSinceMs === undefined) {
    if (await isPinned(database.owner)) run.pinnedSinceMs = nowMs();
    else return;
  }
  const honestSinceMs = Math.max(run.honestSinceMs, run.pinnedSinceMs);
  const next = run.isClockLate ? chain.blocks().find(({ timeMs }) => timeMs > bornMs) : undefined;
  const readyMs = next === undefined ? bornMs : next.timeMs + PROVING_MS;
  for (const [name, sinceMs] of finalSince) {
    const waitedMs = nowMs() - Math.max(sinceMs, honestSinceMs, readyMs);
    if (waitedMs <= CONFIRMED_WITHIN_MS || confirmed.has(name)) continue;
    faults.push(`${name} is final for ${waitedMs} ms and not CONFIRMED`);
  }
}

/** Whether it is known who may sign: all nodes have said it, and the same. */
async function isPinned(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from witness_pins`)).length > 0;
}

/**
 * What has been in the chain for so long that whoever asks an honest node has seen it. What a leader hides that no root covers is only
 * seen where a quorum compares what is final.
 */
function unseenSoFar(
  { chain, tills, includedSince, nowMs }: Run,
  { booked, bornMs }: { booked: readonly BookedDeposit[]; bornMs: number },
): string[] {
  const included = paymentsToUs(chain.movements(chain.head().number), tills);
  for (const name of includedSince.keys()) if (!included.has(name)) includedSince.delete(name);
  for (const name of included.keys()) if (!includedSince.has(name)) includedSince.set(name, nowMs());
  const seen = new Set(booked.map(depositName));
  return [...includedSince]
    .filter(([name, sinceMs]) => !seen.has(name) && nowMs() - Math.max(sinceMs, bornMs) > SEEN_WITHIN_MS)
    .map(([name]) => `${name} is in the chain for more than ${SEEN_WITHIN_MS} ms and not seen`);
}
