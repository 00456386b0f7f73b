import type { Transaction } from "@daric/postgres/sql";
import { type ChargeRef, type RefKey, refKey } from "../domain/ids.ts";
import { isSettled } from "../domain/order.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import type { NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import { type Charge, loadCharges } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { selectConfirmedDeposits } from "./charge-store.ts";
import { findPaidElsewhere } from "./find-paid-elsewhere.ts";
import { selectRests } from "./rest-store.ts";
import { acceptOrders, archiveByMerchant, type LockedOrder } from "./status-store.ts";

const PAID_BY_REST = "paid by rest";

type ByRest = {
  /** the orders that were accepted, and the orders that these are rests of */
  readonly accepted: readonly Charge[];
  /** the paid orders with which another one is accepted */
  readonly completing: ReadonlySet<RefKey<"charge">>;
};

/**
 * Accepts each order whose rest is among these paid orders, unless it is paid or accepted already. It may be a rest itself: then
 * the order before it is accepted too. All of these orders are locked (`lockOrdersOf`).
 */
export async function acceptByRests(tx: Transaction, paid: readonly Charge[]): Promise<ByRest> {
  const accepted: Charge[] = [];
  const completing = new Set<RefKey<"charge">>();
  for (let rests = paid; rests.some(({ restOf }) => restOf !== null); ) {
    const orders = await loadCharges(tx, rests.flatMap(orderOf));
    const unpaid = new Map([...orders].filter(([, order]) => !isSettled(order)));
    const met = new Set<RefKey<"charge">>();
    for (const rest of rests) {
      const [key] = orderOf(rest).map(refKey);
      if (key === undefined || !unpaid.has(key) || met.has(key)) continue;
      met.add(key);
      completing.add(refKey(rest));
    }
    await acceptOrders(tx, [...unpaid.values()], PAID_BY_REST);
    await archiveOpenRests(tx, [...unpaid.values()]);
    rests = [...(await loadCharges(tx, [...unpaid.values()])).values()];
    accepted.push(...rests);
  }
  return { accepted, completing };
}

/** Archives the open rests of orders that are accepted: nothing is missing any more. */
export async function archiveOpenRests(tx: Transaction, accepted: readonly ChargeRef[]): Promise<void> {
  for (const order of accepted) {
    const rests = await loadCharges(tx, await selectRests(tx, order));
    for (const rest of rests.values()) if (rest.status === "ACTIVE") await archiveByMerchant(tx, rest);
  }
}

/** The order that this one is a rest of, if any. */
export function orderOf({ merchantId, restOf }: Pick<Charge, "merchantId" | "restOf">): ChargeRef[] {
  return restOf === null ? [] : [{ merchantId, id: restOf }];
}

/** The `order.accepted` of orders that this transaction accepted; `orders` has them as they were locked. */
export async function acceptedEvents(
  tx: Transaction,
  accepted: readonly Charge[],
  { orders, completing }: { orders: readonly LockedOrder[]; completing: ReadonlySet<RefKey<"charge">> },
): Promise<NewWebhookEvent[]> {
  if (accepted.length === 0) return [];
  const paidAt = new Map(orders.map((order) => [refKey(order), order.paidAt]));
  const deposits = await selectConfirmedDeposits(tx, accepted, { limit: MAX_EVENT_DEPOSITS });
  const paidElsewhere = await findPaidElsewhere(tx, accepted);
  return accepted.map((charge) => {
    const key = refKey(charge);
    const data = orderEventData(charge, {
      paidAt: paidAt.get(key) ?? null,
      deposits: deposits.get(key) ?? [],
      isRefPaid: paidElsewhere.has(key),
      completes: completing.has(key),
    });
    return { merchantId: charge.merchantId, resourceId: charge.id, type: "order.accepted" as const, data };
  });
}
