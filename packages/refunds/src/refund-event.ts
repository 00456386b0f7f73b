import { formatAmount } from "@daric/domain/money";
import type { RefundEventFacts } from "@daric/domain/webhook-event";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { Refund } from "./refund.ts";

/** The event of a refund, as it is now. A refund may become READY again, so that event is numbered. */
export function refundEvent(refund: Refund, type: RefundEventFacts["type"]): NewWebhookEvent {
  const { merchantId, id, chargeId, hasCustomerEmail, isByPerson } = refund;
  return {
    merchantId,
    type,
    resourceId: id,
    idempotencyKey: String(refund.readyCount),
    told: { id: chargeId, hasCustomerEmail, isByPerson },
    data: {
      refundId: id,
      depositAddressId: chargeId,
      orderRef: refund.orderRef,
      chain: "tron",
      currency: refund.currency,
      amount: formatAmount(refund.units),
      fiatAmount: refund.fiatAmount,
      status: refund.status,
      address: refund.address,
      txHash: refund.txId,
      reason: refund.reason,
      requestedAt: refund.requestedAt.toISOString(),
      readyAt: refund.readyAt?.toISOString() ?? null,
      sentAt: refund.sentAt?.toISOString() ?? null,
      completedAt: refund.completedAt?.toISOString() ?? null,
      canceledAt: refund.canceledAt?.toISOString() ?? null,
      metadata: refund.metadata,
    },
  };
}
