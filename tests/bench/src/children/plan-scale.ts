import { openDatabase } from "@daric/postgres/database";
import { sql } from "@daric/postgres/sql";
import { processVariables } from "@daric/server/process/config";
import { findCandidates } from "@daric/settlement/plan/plan-store";
import { runOnCommand } from "./serve-commands.ts";

/** The most sweeps of one plan. */
const LIMIT = 20;
/** The rows of one read. */
const BATCH = 10_000;
const NEXT = sql`fetch 10000 from contents`;

const variables = processVariables();
const db = openDatabase({ url: variables.DATABASE_URL ?? "", max: 1, onError: () => {} });
/** Every address is worth a sweep, so that the plan reads to the last row. */
const bounds = { full: 1n, old: 1n, oldBefore: new Date(0), asked: 1n, askedBefore: new Date(0) };

async function plan(): Promise<number> {
  const query = {
    currency: "USDT" as const,
    bounds,
    height: Number.MAX_SAFE_INTEGER,
    signedUntil: new Date(),
    isOffline: false,
    pausedWallets: [],
    limit: LIMIT,
  };
  const found = await findCandidates(db, query);
  return found.length;
}

/** Reads the same rows in the order of a plan, BATCH at a time. */
async function read(): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(sql`
      declare contents no scroll cursor for
      select merchant_id, deposit_address_id, currency, units::text, oldest_at from address_contents
      where currency = 'USDT' and units > 0 order by units desc`);
    let count = 0;
    for (let rows = BATCH; rows === BATCH; count += rows) rows = (await tx.query(NEXT)).length;
    return count;
  });
}

const work = variables.BENCH_DEPTH === "read" ? read : plan;

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const max = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let [done, rows] = [0, 0];
  for (; done < max && performance.now() < endMs; done += 1) rows = await work();
  return { done, elapsedMs: performance.now() - startedMs, rows, rssBytes: process.memoryUsage.rss() };
});
