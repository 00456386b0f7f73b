import type { ChargeRef, MerchantId } from "@daric/domain/ids";
import { zero } from "@daric/domain/money";
import { MAX_EVENT_DEPOSITS } from "@daric/domain/webhook-event";
import type { Database, Queryable, Transaction } from "@daric/postgres/sql";
import { inFairRounds, inLists } from "@daric/runtime/fair-rounds";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { type Charge, loadCharges } from "../charge.ts";
import { orderEventData, toldOf } from "../charge-event-data.ts";
import { type EventDeposit, selectConfirmedDeposits } from "../charge-store.ts";
import type { WatcherContext } from "../context.ts";
import { findMerchantsToArchive, findMerchantsToExpire, raiseArchiving, raiseExpiry } from "../due-store.ts";
import { archiveQuiet, expireOverdue, hasOverdue, putOffArchiving } from "../status-store.ts";
import { findPaidElsewhere } from "./find-paid-elsewhere.ts";

/** The most rows of one transaction. The next step continues. */
const MAX_ROWS_AT_ONCE = 500;

const fairly = {
  limit: MAX_ROWS_AT_ONCE,
  unitOf: (unit: MerchantId | { merchantId: MerchantId }) =>
    typeof unit === "string" ? unit : unit.merchantId,
};

/**
 * Moves ACTIVE rows to EXPIRED whose `expires_at` the chain has passed for good, unless a matching deposit
 * that came on time is pending. An unpaid order is announced as `order.expired`, a short one as
 * `order.underpaid`, by money in time alone, without dust. `chainTime` is that of the newest verified block, so that no
 * reorganisation undoes it. Runs in the transaction that stores that block as verified. Returns the number of
 * moved rows, 500 at most, and whether more may wait. Merchants get equal shares. The caller enqueues the returned
 * events at the end of its transaction.
 */
export async function expireCharges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { chainTime }: { chainTime: Date },
): Promise<{ moved: number; events: NewWebhookEvent[]; isMoreWaiting: boolean }> {
  const { archiveAfterMs } = context.config.charges;
  const events: NewWebhookEvent[] = [];
  const { rows, isMoreWaiting } = await inFairRounds(
    await findMerchantsToExpire(tx, chainTime),
    fairly,
    async (merchantIds, limitEach) => {
      const expired = await expireOverdue(tx, { merchantIds, chainTime, limitEach, archiveAfterMs });
      const orders = expired.filter(({ kind }) => kind === "order");
      events.push(...(await expiryEvents(tx, orders)));
      return expired;
    },
  );
  return { moved: rows.length, events, isMoreWaiting };
}

/** Whether any row would expire if the chain had passed this time for good. */
export async function hasChargesToExpire(
  db: Queryable,
  { chainTime }: { chainTime: Date },
): Promise<boolean> {
  for (const merchantIds of inLists(await findMerchantsToExpire(db, chainTime))) {
    if (await hasOverdue(db, { merchantIds, chainTime })) return true;
  }
  return false;
}

/**
 * Updates each merchant's bound after `expireCharges`, so that later sweeps skip merchants without work. Call
 * it after the commit; without it the merchants are only checked again.
 */
export async function markExpired(db: Database, { chainTime }: { chainTime: Date }): Promise<void> {
  for (const merchantIds of inLists(await findMerchantsToExpire(db, chainTime))) {
    await db.transaction((tx) => raiseExpiry(tx, merchantIds));
  }
}

/**
 * Moves EXPIRED rows to ARCHIVED after their late window and `archiveAfterMs` of chain time without a
 * deposit. The chain time is that of a verified block. Their addresses stay watched. Call it under the
 * watcher's lease. Returns the number of moved rows, 500 at most.
 */
export async function archiveQuietCharges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { chainTime }: { chainTime: Date },
): Promise<number> {
  const { archiveAfterMs } = context.config.charges;
  const merchants = await findMerchantsToArchive(tx, chainTime);
  const { rows } = await inFairRounds(merchants, fairly, async (merchantIds, limitEach) => {
    await putOffArchiving(tx, { merchantIds, chainTime, limitEach, archiveAfterMs });
    return archiveQuiet(tx, { merchantIds, chainTime, limitEach, archiveAfterMs });
  });
  for (const merchantIds of inLists(merchants)) await raiseArchiving(tx, merchantIds);
  return rows.length;
}

async function expiryEvents(tx: Transaction, orders: readonly ChargeRef[]): Promise<NewWebhookEvent[]> {
  if (orders.length === 0) return [];
  const charges = await loadCharges(tx, orders);
  const deposits = await selectConfirmedDeposits(tx, orders, {
    limit: MAX_EVENT_DEPOSITS,
    onTimeAlone: true,
  });
  const paidElsewhere = await findPaidElsewhere(tx, [...charges.values()]);
  return [...charges].map(([key, charge]) =>
    expiryEvent(charge, { deposits: deposits.get(key) ?? [], isRefPaid: paidElsewhere.has(key) }),
  );
}

function expiryEvent(
  charge: Charge,
  facts: { deposits: readonly EventDeposit[]; isRefPaid: boolean },
): NewWebhookEvent {
  const { onTime } = charge.confirmed;
  const received = { ...charge.received, total: charge.received.onTime };
  const atExpiry: Charge = { ...charge, confirmed: { onTime, inWindow: onTime, total: onTime }, received };
  return {
    merchantId: charge.merchantId,
    resourceId: charge.id,
    told: toldOf(charge),
    type: onTime > zero ? "order.underpaid" : "order.expired",
    data: orderEventData(atExpiry, { paidAt: null, completes: false, ...facts }),
  };
}
