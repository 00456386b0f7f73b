import { ApiError } from "@daric/domain/errors";
import type { DeliveryId, EndpointId, MerchantId } from "@daric/domain/ids";
import { isFinal } from "@daric/domain/webhook-delivery";
import type { Database } from "@daric/postgres/sql";
import { type DeliveryLogRow, findDelivery } from "./delivery-log-store.ts";
import { type HeldDelivery, lockDelivery, makeWaitingDue, resendEnded } from "./resend-store.ts";

/**
 * Sends the same bytes to the same endpoint again, by a worker, and returns the delivery. An ended delivery is
 * tried once. A waiting or parked one is due now and keeps its schedule. One in progress is unchanged.
 * `takeTurn` runs after all other checks and may throw, so that a caller cannot flood a receiver.
 * @throws NOT_FOUND when the merchant has no such delivery; NOT_RESENDABLE when it is a test, its endpoint is
 * disabled or deleted, or its body is gone; the error of `takeTurn`.
 */
export async function resendDelivery(
  { db }: { db: Pick<Database, "transaction"> },
  ref: { merchantId: MerchantId; id: DeliveryId },
  takeTurn: (endpointId: EndpointId) => void,
): Promise<DeliveryLogRow> {
  return db.transaction(async (tx) => {
    const held = await lockDelivery(tx, ref);
    if (held === undefined) throw new ApiError("NOT_FOUND");
    const obstacle = obstacleTo(held);
    if (obstacle !== undefined) throw new ApiError("NOT_RESENDABLE", { message: obstacle });
    takeTurn(held.endpointId);
    await (isFinal(held.status) ? resendEnded(tx, held) : makeWaitingDue(tx, held));
    const delivery = await findDelivery(tx, ref);
    if (delivery === undefined) throw new Error(`delivery ${ref.id} is held and not there`);
    return delivery;
  });
}

function obstacleTo({ eventType, endpoint, hasBody }: HeldDelivery): string | undefined {
  if (eventType === "webhook.test") return "A test is not sent again: send a new one to its endpoint.";
  if (endpoint === "deleted") return "The endpoint of this delivery is deleted.";
  if (endpoint === "disabled") return "The endpoint of this delivery is disabled: enable it first.";
  return hasBody ? undefined : "The body of this event is not kept any more.";
}
