import type { Queryable, Transaction } from "@daric/postgres/sql";
import { type ChargeRef, refKey } from "../domain/ids.ts";
import { zero } from "../domain/money.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents, type NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import { type Charge, loadCharges } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { type EventDeposit, selectConfirmedDeposits } from "./charge-store.ts";
import type { WatcherContext } from "./context.ts";
import { archiveQuiet, expireOverdue, hasOverdue } from "./status-store.ts";

/** Rows that one transaction moves at most. What is left is found again with the next solid block; nobody waits. */
const MAX_ROWS_AT_ONCE = 500;

/**
 * Moves ACTIVE rows whose `expires_at` the chain has passed for good to EXPIRED, except where a matching deposit that
 * came on time is not final yet. An order that got nothing is announced as `order.expired`, one that fell short as
 * `order.underpaid`. `chainTime` is that of a block proven solid: there is no way back, so no block that may leave the
 * chain decides. Runs in the transaction that proved it; answers how many rows moved, 500 at most, and whether more
 * may be waiting.
 */
export async function expireCharges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  input: { chainTime: Date },
): Promise<{ moved: number; isMoreWaiting: boolean }> {
  const expired = await expireOverdue(tx, { chainTime: input.chainTime, limit: MAX_ROWS_AT_ONCE });
  const orders = expired.filter(({ kind }) => kind === "order");
  if (orders.length > 0) await announceExpiry(context, tx, orders);
  return { moved: expired.length, isMoreWaiting: expired.length === MAX_ROWS_AT_ONCE };
}

/** Whether any row would expire if the chain had passed this time for good. */
export async function hasChargesToExpire(db: Queryable, input: { chainTime: Date }): Promise<boolean> {
  return hasOverdue(db, input.chainTime);
}

/**
 * Moves EXPIRED rows to ARCHIVED once their late window is over and no deposit has come for `archiveAfterMs` of chain
 * time, which is that of a block proven solid. Their addresses stay watched. Answers how many rows moved, 500 at most.
 */
export async function archiveQuietCharges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  input: { chainTime: Date },
): Promise<number> {
  const quietSince = new Date(input.chainTime.getTime() - context.config.charges.archiveAfterMs);
  return archiveQuiet(tx, { chainTime: input.chainTime, quietSince, limit: MAX_ROWS_AT_ONCE });
}

async function announceExpiry(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  orders: readonly ChargeRef[],
): Promise<void> {
  const charges = await loadCharges(tx, orders);
  const deposits = await selectConfirmedDeposits(tx, orders, MAX_EVENT_DEPOSITS);
  const events = [...charges.values()].map((charge) =>
    expiryEvent(charge, deposits.get(refKey(charge)) ?? []),
  );
  await enqueueEvents(context, tx, events);
}

function expiryEvent(charge: Charge, deposits: readonly EventDeposit[]): NewWebhookEvent {
  return {
    merchantId: charge.merchantId,
    resourceId: charge.id,
    type: charge.confirmed.total > zero ? "order.underpaid" : "order.expired",
    data: orderEventData(charge, { paidAt: null, deposits }),
  };
}
