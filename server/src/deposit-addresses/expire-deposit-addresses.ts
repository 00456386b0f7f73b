import type { Context } from "../context.ts";
import type { Transaction } from "../db/sql.ts";
import { zero } from "../domain/money.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents, type NewWebhookEvent } from "../webhooks/enqueue-events.ts";
import { type Charge, loadCharges } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { type ConfirmedDeposit, selectConfirmedDeposits } from "./charge-store.ts";
import { expireOverdue } from "./store.ts";

/** Rows that one scanned block moves at most. What is left is found again with the next block. */
const MAX_ROWS_PER_BLOCK = 500;

/**
 * Moves ACTIVE rows whose `expires_at` the scanned chain has passed to EXPIRED, except where a matching deposit that
 * came on time is not final yet. An order that got nothing is announced as `order.expired`, one that fell short as
 * `order.underpaid`. Runs in the transaction of the block that carries `chainTime`; answers how many rows moved,
 * 500 at most.
 */
export async function expireDepositAddresses(
  context: Pick<Context, "config">,
  tx: Transaction,
  input: { chainTime: Date },
): Promise<number> {
  const expired = await expireOverdue(tx, { chainTime: input.chainTime, limit: MAX_ROWS_PER_BLOCK });
  const orderIds = expired.filter(({ kind }) => kind === "order").map(({ id }) => id);
  if (orderIds.length > 0) await announceExpiry(context, tx, orderIds);
  return expired.length;
}

async function announceExpiry(
  context: Pick<Context, "config">,
  tx: Transaction,
  orderIds: readonly string[],
): Promise<void> {
  const charges = await loadCharges(tx, orderIds);
  const deposits = await selectConfirmedDeposits(tx, orderIds, MAX_EVENT_DEPOSITS);
  const events = [...charges.values()].map((charge) => expiryEvent(charge, deposits.get(charge.id) ?? []));
  await enqueueEvents(context, tx, events);
}

function expiryEvent(charge: Charge, deposits: readonly ConfirmedDeposit[]): NewWebhookEvent {
  return {
    merchantId: charge.merchantId,
    resourceId: charge.id,
    type: charge.confirmed.total > zero ? "order.underpaid" : "order.expired",
    data: orderEventData(charge, { paidAt: null, deposits }),
  };
}
