import { type ChargeRef, type RefKey, refKey } from "@daric/domain/ids";
import { announcedOutcomes, type OrderOutcome, orderOutcomes } from "@daric/domain/order";
import { MAX_EVENT_DEPOSITS } from "@daric/domain/webhook-event";
import type { Transaction } from "@daric/postgres/sql";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { Charge } from "../charge.ts";
import { orderEventData, toldOf } from "../charge-event-data.ts";
import { selectConfirmedDeposits } from "../charge-store.ts";
import { firstOrderOf } from "../order-family.ts";
import { archivePaid, type LockedOrder, lockOrders, markPaid } from "../status-store.ts";
import { acceptByRests, acceptedEvents } from "./accept-by-rest.ts";
import { findPaidElsewhere } from "./find-paid-elsewhere.ts";

/** An order that its confirmed money pays, in time or late. */
type SettledOrder = {
  readonly charge: Charge;
  readonly outcomes: readonly OrderOutcome[];
  /** when it was first paid */
  readonly paidAt: Date;
  /** first paid now */
  readonly isFirst: boolean;
};

/**
 * Settles these charges, of 200 merchants at most, after this transaction has set deposits CONFIRMED. An
 * order that is now paid inside the late window is ARCHIVED. `order.paid`, `order.overpaid` and
 * `order.paid_late` are announced, each once in the life of the order. Money after the late window is
 * announced as `order.paid_late` and changes no status. An accepted order announces only `order.overpaid`.
 * Receive and open addresses have no events. Money of a rest may also accept its first order, see {@link acceptByRests}. The number
 * of statements is constant, and each reads a bounded part of an order's deposits.
 *
 * `orders` are locked (`lockOrdersOf`) and `charges` were loaded since: so two deposits confirmed at the same
 * moment cannot overlook each other. Returns the events; the caller enqueues them at the end of its transaction.
 */
export async function settleOrders(
  tx: Transaction,
  { orders, charges }: { orders: readonly LockedOrder[]; charges: ReadonlyMap<RefKey<"charge">, Charge> },
): Promise<NewWebhookEvent[]> {
  const settled = orders.flatMap((order): SettledOrder[] => {
    const charge = charges.get(refKey(order));
    const outcomes = charge ? orderOutcomes(charge.terms, charge.confirmed) : [];
    if (charge === undefined || outcomes.length === 0) return [];
    return [{ charge, outcomes, paidAt: order.paidAt ?? order.now, isFirst: order.paidAt === null }];
  });
  if (settled.length > 0) await recordPayment(tx, settled);
  // Read before a first order is accepted: it is not paid elsewhere than by its rest.
  const paidElsewhere = await findPaidElsewhere(
    tx,
    settled.map(({ charge }) => charge),
  );
  const { accepted, completing } = await acceptByRests(tx, orders.filter(mayHaveFamily));
  return [
    ...(await outcomeEvents(tx, settled, { paidElsewhere, completing })),
    ...(await acceptedEvents(tx, accepted, { orders, completing })),
  ];
}

/** An order is archived when its rest is asked for. */
function mayHaveFamily({ status, restOf }: LockedOrder): boolean {
  return status === "ARCHIVED" || restOf !== null;
}

/**
 * Locks the rows of the orders among these charges, of 200 merchants at most, then of their first orders. Call it before loading them
 * and before enqueueing events: accepting an order also locks its row before the endpoints.
 */
export async function lockOrdersOf(
  tx: Transaction,
  refs: readonly ChargeRef[],
): Promise<readonly LockedOrder[]> {
  const locked = await lockOrders(tx, refs);
  const isLocked = new Set(locked.map(refKey));
  const firsts = locked.map(firstOrderOf).filter((first) => !isLocked.has(refKey(first)));
  return [...locked, ...(await lockOrders(tx, firsts))];
}

async function recordPayment(tx: Transaction, settled: readonly SettledOrder[]): Promise<void> {
  const inWindow = settled.filter(({ outcomes }) => outcomes.includes("paid"));
  const archived = await archivePaid(
    tx,
    inWindow.map(({ charge }) => charge),
  );
  const isArchived = new Set(archived.map(refKey));
  const others = settled.filter(({ charge, isFirst }) => isFirst && !isArchived.has(refKey(charge)));
  await markPaid(
    tx,
    others.map(({ charge }) => charge),
  );
}

async function outcomeEvents(
  tx: Transaction,
  settled: readonly SettledOrder[],
  { paidElsewhere, completing }: Record<"paidElsewhere" | "completing", ReadonlySet<RefKey<"charge">>>,
): Promise<NewWebhookEvent[]> {
  const charges = settled.map(({ charge }) => charge);
  const deposits = await selectConfirmedDeposits(tx, charges, { limit: MAX_EVENT_DEPOSITS });
  return settled.flatMap(({ charge, outcomes, paidAt }) => {
    const key = refKey(charge);
    const data = orderEventData(charge, {
      paidAt,
      deposits: deposits.get(key) ?? [],
      isRefPaid: paidElsewhere.has(key),
      completes: completing.has(key),
    });
    const event = { merchantId: charge.merchantId, resourceId: charge.id, told: toldOf(charge), data };
    return announcedOutcomes(outcomes, charge).map((outcome) => ({
      ...event,
      type: `order.${outcome}` as const,
    }));
  });
}
