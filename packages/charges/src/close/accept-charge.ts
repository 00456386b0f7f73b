import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import { zero } from "@daric/domain/money";
import { isSettled } from "@daric/domain/order";
import { putBackRefunds } from "@daric/refunds/put-back";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { type Charge, findCharge, getCharge } from "../charge.ts";
import type { AcceptingContext } from "../context.ts";
import { findFamily } from "../order-family.ts";
import { acceptOrders } from "../status-store.ts";
import { acceptByRests, acceptedEvents } from "./accept-by-rest.ts";
import { lockOrdersOf } from "./settle-orders.ts";

const NO_ORDER = { path: "id", message: "is no order: only an order can be accepted" };

/**
 * Accepts the confirmed money of an order, whenever it came, as its full price: the order counts as paid and
 * is ARCHIVED. Announces `order.accepted`, once in the life of the order. The order that it is a rest of is accepted with it,
 * and an open rest ends. The rows are locked, so that a concurrent confirmation comes before or after.
 *
 * @throws in this order, NOT_FOUND if the row is not the merchant's; VALIDATION_ERROR if it is no order;
 * ORDER_ALREADY_PAID if it, or the order that it is a rest of, is accepted already or paid inside its late window; NOTHING_RECEIVED if nothing that
 * counts is confirmed.
 */
export async function acceptCharge(
  context: Pick<AcceptingContext, "config" | "db">,
  { reason, ...ref }: ChargeRef & { reason: string | null },
): Promise<Charge> {
  return context.db.transaction(async (tx) => {
    const orders = await lockOrdersOf(tx, [ref]);
    const order = await findCharge(tx, ref);
    if (order === undefined) throw new ApiError("NOT_FOUND");
    if (order.kind !== "order") throw new ApiError("VALIDATION_ERROR", { details: [NO_ORDER] });
    const { first } = await findFamily(tx, order);
    if (isSettled(order) || isSettled(first)) throw new ApiError("ORDER_ALREADY_PAID");
    if (order.confirmed.total <= zero) throw new ApiError("NOTHING_RECEIVED");
    await acceptOrders(tx, [ref], reason);
    const charge = await getCharge(tx, ref);
    const { accepted, completing } = await acceptByRests(tx, [charge]);
    await putBackRefunds(context, tx, [charge, ...accepted]);
    await enqueueEvents(context, tx, await acceptedEvents(tx, [charge, ...accepted], { orders, completing }));
    return charge;
  });
}
