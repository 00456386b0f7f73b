import type { Transaction } from "@daric/postgres/sql";
import { type ChargeRef, refKey } from "../domain/ids.ts";
import { leastThatPays, type OrderOutcome, orderOutcomes } from "../domain/order.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents, type NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import { type Charge, loadCharges } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { selectConfirmedDeposits, selectTimesReached } from "./charge-store.ts";
import type { WatcherContext } from "./context.ts";
import { archivePaid, lockOrders } from "./status-store.ts";

type SettledOrder = { readonly charge: Charge; readonly outcomes: readonly OrderOutcome[] };

/**
 * Draws the consequences of deposits that this transaction has just set CONFIRMED, to these deposit addresses. An
 * order that its confirmed money now pays inside the late window is ARCHIVED, and `order.paid`, `order.overpaid`
 * and `order.paid_late` are announced, each once in the life of the order. Money after the late window is announced
 * as `order.paid_late` and moves nothing. Nothing happens for receive and open addresses. As many statements for a
 * thousand orders as for one.
 *
 * The rows are locked first, so that two deposits confirmed at the same moment cannot each overlook the other.
 */
export async function settleOrders(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  refs: readonly ChargeRef[],
): Promise<void> {
  const orderIds = new Set(
    await lockOrders(
      tx,
      refs.map(({ id }) => id),
    ),
  );
  const charges = await loadCharges(
    tx,
    refs.filter(({ id }) => orderIds.has(id)),
  );
  const settled = [...charges.values()]
    .map((charge) => ({ charge, outcomes: orderOutcomes(charge.terms, charge.confirmed) }))
    .filter(({ outcomes }) => outcomes.length > 0);
  if (settled.length === 0) return;
  const paid = settled.filter(({ outcomes }) => outcomes.includes("paid"));
  await archivePaid(
    tx,
    paid.map(({ charge }) => charge.id),
  );
  await enqueueEvents(context, tx, await outcomeEvents(tx, settled));
}

async function outcomeEvents(tx: Transaction, settled: readonly SettledOrder[]): Promise<NewWebhookEvent[]> {
  const deposits = await selectConfirmedDeposits(
    tx,
    settled.map(({ charge }) => charge),
    MAX_EVENT_DEPOSITS,
  );
  const times = await selectTimesReached(
    tx,
    settled.map(({ charge: { merchantId, id, terms } }) => ({
      merchantId,
      id,
      units: leastThatPays(terms) ?? 0n,
    })),
  );
  return settled.flatMap(({ charge, outcomes }) => {
    const data = orderEventData(charge, {
      paidAt: times.get(refKey(charge)) ?? null,
      deposits: deposits.get(refKey(charge)) ?? [],
    });
    const event = { merchantId: charge.merchantId, resourceId: charge.id, data };
    return outcomes.map((outcome) => ({ ...event, type: `order.${outcome}` as const }));
  });
}
