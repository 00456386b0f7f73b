import { openDatabase } from "@daric/postgres/database";
import { loadCharges } from "@daric/server/charges/charge";
import { lockOrdersOf } from "@daric/server/charges/settle-orders";
import { chargesOf } from "@daric/server/deposits/charge-refs";
import { depositConfirmedEvent } from "@daric/server/deposits/deposit-event";
import { findOpenGroups } from "@daric/server/deposits/open-store";
import { finalizeDeposits } from "@daric/server/deposits/verify/finality-store";
import { bookDeposits } from "@daric/server/ledger/book-deposits";
import { processVariables, readConfig } from "@daric/server/process/config";
import { enqueueEvents } from "@daric/server/webhooks/events/enqueue-events";
import { runOnCommand } from "./serve-commands.ts";

/** Confirms and books all open deposits by the service's own steps, with their events if asked to, and rolls back. */
const variables = processVariables();
const config = readConfig(variables, ["watcher"]);
const isAnnouncing = variables["BENCH_OUTBOX"] === "1";
const db = openDatabase({ url: variables.DATABASE_URL ?? "", onError: () => undefined });
const ROLLED_BACK = new Error("rolled back");
const FINAL = 1_000_000;
const solid = { number: FINAL, blockId: "", time: new Date() };
const scope = { network: config.chain.network, epoch: 1n };

async function confirmAll(): Promise<void> {
  await db.transaction(async (tx) => {
    const groups = await findOpenGroups(tx, { network: scope.network, statuses: ["CONFIRMING"] });
    const deposits = await finalizeDeposits(tx, scope, { groups, limitEach: 200, solid, head: FINAL });
    if (deposits.length === 0) throw new Error(`no deposit of ${groups.length} groups was confirmed`);
    await lockOrdersOf(tx, chargesOf(deposits));
    const charges = await loadCharges(tx, chargesOf(deposits));
    await bookDeposits(tx, deposits, charges);
    const events = deposits.map((deposit) => depositConfirmedEvent(deposit, charges));
    if (isAnnouncing) await enqueueEvents({ config }, tx, events);
    throw ROLLED_BACK;
  });
}

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const most = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  while (done < most && performance.now() < endMs) {
    await confirmAll().catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
    done += 1;
  }
  return { done, elapsedMs: performance.now() - startedMs };
});
