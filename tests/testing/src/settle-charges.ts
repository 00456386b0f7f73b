import { loadCharges } from "@daric/charges/charge";
import { lockOrdersOf, settleOrders } from "@daric/charges/close/settle-orders";
import type { ChargeRef } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { enqueueEvents, type NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { TestContext } from "./context.ts";

/** Updates these charges as the service does in the transaction that confirms their deposits. */
export async function settleCharges(
  context: Pick<TestContext, "config">,
  tx: Transaction,
  refs: readonly ChargeRef[],
): Promise<void> {
  const orders = await lockOrdersOf(tx, refs);
  const charges = await loadCharges(tx, refs);
  await enqueueEvents(context, tx, await settleOrders(tx, { orders, charges }));
}

/** Enqueues the events of one part of a transaction of the watcher, and returns the rest of its result. */
export async function announced<Result>(
  context: Pick<TestContext, "config">,
  tx: Transaction,
  part: Promise<Result & { readonly events: readonly NewWebhookEvent[] }>,
): Promise<Omit<Result, "events">> {
  const { events, ...rest } = await part;
  await enqueueEvents(context, tx, events);
  return rest;
}
