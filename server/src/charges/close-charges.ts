import type { Database, Queryable, Transaction } from "@daric/postgres/sql";
import { type ChargeRef, type MerchantId, refKey } from "../domain/ids.ts";
import { zero } from "../domain/money.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { inFairRounds, inLists } from "../runtime/fair-rounds.ts";
import { enqueueEvents, type NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import { type Charge, loadCharges } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { type EventDeposit, selectConfirmedDeposits } from "./charge-store.ts";
import type { WatcherContext } from "./context.ts";
import { findMerchantsToArchive, findMerchantsToExpire, raiseArchiving, raiseExpiry } from "./due-store.ts";
import { archiveQuiet, expireOverdue, hasOverdue, putOffArchiving } from "./status-store.ts";

/** Rows that one transaction moves at most. What is left is found again with the next solid block; nobody waits. */
const MAX_ROWS_AT_ONCE = 500;

const fairly = {
  limit: MAX_ROWS_AT_ONCE,
  unitOf: (unit: MerchantId | { merchantId: MerchantId }) =>
    typeof unit === "string" ? unit : unit.merchantId,
};

/**
 * Moves ACTIVE rows whose `expires_at` the chain has passed for good to EXPIRED, except where a matching deposit that
 * came on time is not final yet. An order that got nothing by then is announced as `order.expired`, one that fell short as
 * `order.underpaid`: by what came on time alone, whatever came later and is confirmed already. `chainTime` is that of a block proven solid: there is no way back, so no block that may leave the
 * chain decides. Runs in the transaction that proved it; answers how many rows moved, 500 at most, and whether more
 * may be waiting. Merchants get equal shares, however much one of them has.
 */
export async function expireCharges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { chainTime }: { chainTime: Date },
): Promise<{ moved: number; isMoreWaiting: boolean }> {
  const { archiveAfterMs } = context.config.charges;
  const { rows, isMoreWaiting } = await inFairRounds(
    await findMerchantsToExpire(tx, chainTime),
    fairly,
    async (merchantIds, limitEach) => {
      const expired = await expireOverdue(tx, { merchantIds, chainTime, limitEach, archiveAfterMs });
      await announceExpiry(
        context,
        tx,
        expired.filter(({ kind }) => kind === "order"),
      );
      return expired;
    },
  );
  return { moved: rows.length, isMoreWaiting };
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
 * Forgets for each merchant the times that `expireCharges` is done with, so that nobody is looked at for nothing. To be
 * called when that is committed; where it is not called the merchants are only looked at again.
 */
export async function noteExpired(db: Database, { chainTime }: { chainTime: Date }): Promise<void> {
  for (const merchantIds of inLists(await findMerchantsToExpire(db, chainTime))) {
    await db.transaction((tx) => raiseExpiry(tx, merchantIds));
  }
}

/**
 * Moves EXPIRED rows to ARCHIVED once their late window is over and no deposit has come for `archiveAfterMs` of chain
 * time, which is that of a block proven solid. Their addresses stay watched. To be called under the watcher's lease.
 * Answers how many rows moved, 500 at most.
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

async function announceExpiry(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  orders: readonly ChargeRef[],
): Promise<void> {
  if (orders.length === 0) return;
  const charges = await loadCharges(tx, orders);
  const deposits = await selectConfirmedDeposits(tx, orders, {
    limit: MAX_EVENT_DEPOSITS,
    onTimeAlone: true,
  });
  const events = [...charges.values()].map((charge) =>
    expiryEvent(charge, deposits.get(refKey(charge)) ?? []),
  );
  await enqueueEvents(context, tx, events);
}

function expiryEvent(charge: Charge, deposits: readonly EventDeposit[]): NewWebhookEvent {
  const { onTime } = charge.confirmed;
  const received = { ...charge.received, total: charge.received.onTime };
  const then: Charge = { ...charge, confirmed: { onTime, inWindow: onTime, total: onTime }, received };
  return {
    merchantId: charge.merchantId,
    resourceId: charge.id,
    type: received.onTime > zero ? "order.underpaid" : "order.expired",
    data: orderEventData(then, { paidAt: null, deposits }),
  };
}
