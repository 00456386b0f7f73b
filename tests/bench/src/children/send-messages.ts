import { startMessageWorker } from "@daric/console/messages/worker";
import type { ChargeId, EventId, MerchantId } from "@daric/domain/ids";
import { announceEvents } from "@daric/messages/announce";
import { findTime } from "@daric/messages/store";
import { openDatabase } from "@daric/postgres/database";
import { sql } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { createWakeUps } from "@daric/runtime/wake-ups";
import { processVariables, readConfig } from "@daric/server/process/config";
import { createMetrics } from "@daric/server/process/metrics";
import { waitUntil } from "../programs.ts";
import { runOnCommand } from "./serve-commands.ts";

/** Writes the messages of paid orders that have none, like the transactions of their events, and has the service's worker send them. */
export type SentMessages = { readonly count: number };

/** The paid orders of a transaction. */
const AT_ONCE = 20;
const variables = processVariables();
const config = readConfig(variables, ["webhooks"]);
const db = openDatabase({ url: variables.DATABASE_URL ?? "", onError: () => undefined });
const log = createLogger({ level: "info", role: "bench" });
const clock = systemClock;
const databaseOutage = createDatabaseOutage({ log, clock, ping: () => db.query(sql`select 1`) });
const metrics = createMetrics({ processMetrics: false });
const context = { config, db, clock, log, databaseOutage, metrics, recentErrors: createRecentErrors() };
const wakeUps = createWakeUps();
startMessageWorker(context, { wakeUps });

type PaidOrder = { readonly id: EventId; readonly merchantId: MerchantId; readonly chargeId: ChargeId };

/** The events of paid orders, read once. */
const paid = await db.query<PaidOrder>(sql`
  select id, merchant_id as "merchantId", resource_id as "chargeId" from webhook_events where type = 'order.paid' order by id`);
let announced = 0;

async function announce(orders: readonly PaidOrder[]): Promise<void> {
  const events = orders.map(({ id, merchantId, chargeId }) => {
    const told = { id: chargeId, hasCustomerEmail: true, isByPerson: false };
    return { id, merchantId, type: "order.paid", told, data: {} } as const;
  });
  await db.transaction(async (tx) => announceEvents(context, tx, { events, now: await findTime(tx) }));
}

async function countSent(): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from messages where sent_at is not null`,
  );
  return rows[0]?.count ?? 0;
}

runOnCommand(async ({ count }: SentMessages) => {
  const startedMs = performance.now();
  const orders = paid.slice(announced, announced + count);
  if (orders.length < count) throw new Error("no paid order is left");
  for (let first = 0; first < count; first += AT_ONCE) await announce(orders.slice(first, first + AT_ONCE));
  announced += count;
  wakeUps.notify();
  await waitUntil("each message is sent", async () => (await countSent()) === announced);
  return { done: count, elapsedMs: performance.now() - startedMs };
});
