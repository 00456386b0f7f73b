import { WATCHED_AFTER_CANCEL_DAYS } from "@daric/domain/refund";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { endWatch } from "./address-store.ts";
import { lockOurRefund, moveRefund } from "./change-refund.ts";
import type { ActingContext } from "./context.ts";
import type { Refund, RefundRef } from "./refund.ts";
import { refundEvent } from "./refund-event.ts";

/**
 * Cancels a refund that is not on the chain, and announces it. A second time it answers the same. One that was READY is watched for 30 days more: a transfer that
 * fits completes it.
 *
 * @throws NOT_FOUND; REFUND_CLOSED once it is on the chain.
 */
export async function cancelRefund(context: ActingContext, ref: RefundRef): Promise<Refund> {
  return context.db.transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, ref);
    if (refund.status === "CANCELED") return refund;
    await endWatch(tx, ref, WATCHED_AFTER_CANCEL_DAYS);
    const canceled = await moveRefund(context, tx, {
      refund,
      event: "canceled",
      canceledAt: refund.now,
      frozenUntil: null,
    });
    await enqueueEvents(context, tx, [refundEvent(canceled, "refund.canceled")]);
    return canceled;
  });
}
