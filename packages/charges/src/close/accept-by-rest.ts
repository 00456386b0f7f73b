import { type RefKey, refKey } from "@daric/domain/ids";
import { isSettled } from "@daric/domain/order";
import { isNothingMissing, isPaidByRests } from "@daric/domain/rest";
import { MAX_EVENT_DEPOSITS } from "@daric/domain/webhook-event";
import type { Transaction } from "@daric/postgres/sql";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { type Charge, loadCharges } from "../charge.ts";
import { orderEventData, toldOf } from "../charge-event-data.ts";
import { selectConfirmedDeposits } from "../charge-store.ts";
import { loadFamilies } from "../order-family.ts";
import { acceptOrders, archiveByMerchant, type LockedOrder } from "../status-store.ts";
import { findPaidElsewhere } from "./find-paid-elsewhere.ts";

const PAID_BY_REST = "paid by rest";

type ByRest = {
  /** the first orders that were accepted */
  readonly accepted: readonly Charge[];
  /** the rests with whose payment or acceptance a first order is accepted */
  readonly completing: ReadonlySet<RefKey<"charge">>;
};

/**
 * Settles the families of these orders: a first order that its rests pay is accepted, and open rests end where nothing is missing any
 * more. All of these orders and their first orders are locked (`lockOrdersOf`).
 */
export async function acceptByRests(
  tx: Transaction,
  changed: readonly Pick<Charge, "merchantId" | "id" | "restOf">[],
): Promise<ByRest> {
  const families = [...(await loadFamilies(tx, changed)).values()];
  const paid = families.filter((family) => !isSettled(family.first) && isPaidByRests(family));
  const firsts = paid.map(({ first }) => first);
  await acceptOrders(tx, firsts, PAID_BY_REST);
  for (const family of families) {
    const open = family.rests.find(({ status }) => status === "ACTIVE");
    if (open !== undefined && isNothingMissing(family)) await archiveByMerchant(tx, open);
  }
  const completing = paid.flatMap(({ rests }) => rests.find(isSettled) ?? []);
  return {
    accepted: [...(await loadCharges(tx, firsts)).values()],
    completing: new Set(completing.map(refKey)),
  };
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
    const told = toldOf(charge);
    // The payer gets the receipt of the rest.
    const hasCustomerEmail = told.hasCustomerEmail && charge.acceptReason !== PAID_BY_REST;
    return {
      ...{ merchantId: charge.merchantId, resourceId: charge.id, told: { ...told, hasCustomerEmail } },
      ...{ type: "order.accepted" as const, data },
    };
  });
}
