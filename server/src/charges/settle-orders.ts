import type { Transaction } from "@daric/postgres/sql";
import { type ChargeRef, type RefKey, refKey } from "../domain/ids.ts";
import { announcedOutcomes, type OrderOutcome, orderOutcomes } from "../domain/order.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents, type NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import type { Charge } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { selectConfirmedDeposits } from "./charge-store.ts";
import type { WatcherContext } from "./context.ts";
import { archivePaid, type LockedOrder, lockOrders, notePaid } from "./status-store.ts";

/** An order that its confirmed money, whenever it came, pays. */
type SettledOrder = {
  readonly charge: Charge;
  readonly outcomes: readonly OrderOutcome[];
  /** when it first did */
  readonly paidAt: Date;
  /** that is now */
  readonly isFirst: boolean;
};

/**
 * Draws the consequences of deposits that this transaction has just set CONFIRMED, to these charges of 200 merchants at
 * most. An order that its confirmed money now pays inside the late window is ARCHIVED, and `order.paid`, `order.overpaid`
 * and `order.paid_late` are announced, each once in the life of the order. Money after the late window is announced
 * as `order.paid_late` and moves nothing. Of an order that its merchant has accepted only `order.overpaid`
 * is. Nothing happens for receive and open addresses. As many statements for a
 * thousand orders as for one, and none that reads more of an order that has many deposits.
 *
 * `orders` are held (`holdOrders`) and `charges`, of which others are left alone, were loaded since: so two deposits confirmed
 * at the same moment cannot each overlook the other.
 */
export async function settleOrders(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { orders, charges }: { orders: readonly LockedOrder[]; charges: ReadonlyMap<RefKey<"charge">, Charge> },
): Promise<void> {
  const settled = orders.flatMap((order): SettledOrder[] => {
    const charge = charges.get(refKey(order));
    const outcomes = charge ? orderOutcomes(charge.terms, charge.confirmed) : [];
    if (charge === undefined || outcomes.length === 0) return [];
    return [{ charge, outcomes, paidAt: order.paidAt ?? order.now, isFirst: order.paidAt === null }];
  });
  if (settled.length === 0) return;
  await notePayment(tx, settled);
  await enqueueEvents(context, tx, await outcomeEvents(tx, settled));
}

/**
 * Holds the rows of those of these charges, of 200 merchants at most, that are orders. To be called by whoever settles them
 * before it loads them and before it enqueues anything: accepting an order takes its row first and the endpoints of its events
 * then.
 */
export async function holdOrders(
  tx: Transaction,
  refs: readonly ChargeRef[],
): Promise<readonly LockedOrder[]> {
  return refs.length === 0 ? [] : lockOrders(tx, refs);
}

async function notePayment(tx: Transaction, settled: readonly SettledOrder[]): Promise<void> {
  const inWindow = settled.filter(({ outcomes }) => outcomes.includes("paid"));
  const archived = await archivePaid(
    tx,
    inWindow.map(({ charge }) => charge),
  );
  const isNoted = new Set(archived.map(refKey));
  const others = settled.filter(({ charge, isFirst }) => isFirst && !isNoted.has(refKey(charge)));
  await notePaid(
    tx,
    others.map(({ charge }) => charge),
  );
}

async function outcomeEvents(tx: Transaction, settled: readonly SettledOrder[]): Promise<NewWebhookEvent[]> {
  const charges = settled.map(({ charge }) => charge);
  const deposits = await selectConfirmedDeposits(tx, charges, { limit: MAX_EVENT_DEPOSITS });
  return settled.flatMap(({ charge, outcomes, paidAt }) => {
    const data = orderEventData(charge, { paidAt, deposits: deposits.get(refKey(charge)) ?? [] });
    const event = { merchantId: charge.merchantId, resourceId: charge.id, data };
    return announcedOutcomes(outcomes, charge).map((outcome) => ({
      ...event,
      type: `order.${outcome}` as const,
    }));
  });
}
