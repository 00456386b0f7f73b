import type { Context } from "../context.ts";
import type { Transaction } from "../db/sql.ts";
import { nextDepositAddressStatus } from "../domain/deposit-address.ts";
import { leastThatPays, orderOutcomes } from "../domain/order.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents } from "../webhooks/enqueue-event.ts";
import { type Charge, getCharge } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { selectConfirmedDeposits, selectTimeReached } from "./charge-store.ts";
import { lockDepositAddress, moveStatus } from "./store.ts";

/**
 * Draws the consequences of a deposit that this transaction has just set CONFIRMED. An order that its confirmed
 * money now pays inside the late window is ARCHIVED, and `order.paid`, `order.overpaid` and `order.paid_late` are
 * announced, each once in the life of the order. Money after the late window is announced as `order.paid_late`
 * and moves nothing. Nothing happens for receive and open addresses.
 *
 * The row is locked first, so that two deposits confirmed at the same moment cannot each overlook the other.
 */
export async function settleOrder(
  context: Pick<Context, "config">,
  tx: Transaction,
  depositAddressId: string,
): Promise<void> {
  const locked = await lockDepositAddress(tx, depositAddressId);
  if (locked?.kind !== "order") return;
  const charge = await getCharge(tx, depositAddressId);
  const outcomes = orderOutcomes(charge.terms, charge.confirmed);
  if (outcomes.length === 0) return;
  if (outcomes.includes("paid")) await archivePaid(tx, charge);
  const data = orderEventData(charge, {
    paidAt: await selectTimeReached(tx, charge.id, leastThatPays(charge.terms) ?? 0n),
    deposits: await selectConfirmedDeposits(tx, [charge.id], MAX_EVENT_DEPOSITS),
  });
  const event = { merchantId: charge.merchantId, resourceId: charge.id, data };
  await enqueueEvents(
    context,
    tx,
    outcomes.map((outcome) => ({ ...event, type: `order.${outcome}` as const })),
  );
}

/** An order that its merchant archived before the money came stays as it is. */
async function archivePaid(tx: Transaction, charge: Charge): Promise<void> {
  const to = nextDepositAddressStatus(charge.status, "paid");
  if (to !== undefined) await moveStatus(tx, { id: charge.id, from: charge.status, to });
}
