import { ApiError } from "../domain/errors.ts";
import { type ChargeRef, refKey } from "../domain/ids.ts";
import { zero } from "../domain/money.ts";
import { isSettled } from "../domain/order.ts";
import { MAX_EVENT_DEPOSITS } from "../domain/webhook-event.ts";
import { enqueueEvents } from "../webhooks/events/enqueue-events.ts";
import { type Charge, getCharge } from "./charge.ts";
import { orderEventData } from "./charge-event-data.ts";
import { selectConfirmedDeposits } from "./charge-store.ts";
import type { AcceptingContext } from "./context.ts";
import { acceptByMerchant, lockCharge } from "./status-store.ts";

const NO_ORDER = { path: "id", message: "is no order: only an order can be accepted" };

/**
 * Accepts the confirmed money of an order, whenever it came, as its full price: the order counts as paid and
 * is ARCHIVED. Announces `order.accepted`, once in the life of the order. The row is locked, so that a
 * concurrent confirmation comes before or after.
 *
 * @throws in this order, NOT_FOUND if the row is not the merchant's; VALIDATION_ERROR if it is no order;
 * ORDER_ALREADY_PAID if it is accepted already or paid inside its late window; NOTHING_RECEIVED if nothing is
 * confirmed.
 */
export async function acceptCharge(
  context: Pick<AcceptingContext, "config" | "db">,
  { reason, ...ref }: ChargeRef & { reason: string | null },
): Promise<Charge> {
  return context.db.transaction(async (tx) => {
    const locked = await lockCharge(tx, ref);
    if (locked === undefined) throw new ApiError("NOT_FOUND");
    if (locked.kind !== "order") throw new ApiError("VALIDATION_ERROR", { details: [NO_ORDER] });
    const order = await getCharge(tx, ref);
    if (isSettled(order)) throw new ApiError("ORDER_ALREADY_PAID");
    if (order.received.total <= zero) throw new ApiError("NOTHING_RECEIVED");
    await acceptByMerchant(tx, { reason, ...ref });
    const accepted = await getCharge(tx, ref);
    const confirmed = await selectConfirmedDeposits(tx, [ref], { limit: MAX_EVENT_DEPOSITS });
    const deposits = confirmed.get(refKey(ref)) ?? [];
    const data = orderEventData(accepted, { paidAt: locked.paidAt, deposits });
    await enqueueEvents(context, tx, [
      { merchantId: ref.merchantId, resourceId: ref.id, type: "order.accepted", data },
    ]);
    return accepted;
  });
}
