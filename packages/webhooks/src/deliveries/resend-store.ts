import type { DeliveryId, EndpointId, MerchantId } from "@daric/domain/ids";
import { deliveryMachine, type WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { literals, maybeOne, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { withinTransaction } from "@daric/postgres/within-transaction";
import { rescheduledSooner } from "../queue/queue-store.ts";
import { changeDeliveries } from "./count-store.ts";

type DeliveryRef = { readonly merchantId: MerchantId; readonly id: DeliveryId };

/** A locked delivery. */
export type HeldDelivery = DeliveryRef & {
  readonly status: WebhookDeliveryStatus;
  readonly eventType: WebhookEventType;
  readonly endpointId: EndpointId;
  readonly endpoint: "active" | "disabled" | "deleted";
  readonly hasBody: boolean;
};

export async function lockDelivery(
  tx: Transaction,
  { merchantId, id }: DeliveryRef,
): Promise<HeldDelivery | undefined> {
  return maybeOne(
    await tx.query<HeldDelivery>(sql`
      select delivery.merchant_id as "merchantId", delivery.id, delivery.status, delivery.event_type as "eventType",
        delivery.endpoint_id as "endpointId",
        case when endpoint.deleted_at is not null then 'deleted' when endpoint.is_active then 'active' else 'disabled' end
          as endpoint,
        exists (
          select from webhook_event_bodies body
          where body.merchant_id = ${merchantId} and body.event_id = event.id
            and body.created_at = event.created_at) as "hasBody"
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId} and endpoint.id = delivery.endpoint_id
      join webhook_events event on event.merchant_id = ${merchantId} and event.id = delivery.event_id
      where delivery.merchant_id = ${merchantId} and delivery.id = ${id}
      for update of delivery`),
  );
}

const resent = deliveryMachine.edge("resent");

/** Makes an ended, locked delivery due now, for one attempt. */
export async function resendEnded(tx: Transaction, delivery: HeldDelivery): Promise<void> {
  await makeDue(tx, delivery, {
    set: sql`status = ${resent.to}, was_resent = true, expires_at = now() + interval '4 days'`,
    condition: sql`status in (${literals(...resent.from)})`,
  });
}

/** Makes the next scheduled attempt of a locked delivery due now. */
export async function makeWaitingDue(tx: Transaction, delivery: HeldDelivery): Promise<void> {
  await makeDue(tx, delivery, {
    set: sql`expires_at = now() + interval '4 days'`,
    condition: sql`status in (${literals(...deliveryMachine.edge("claimed").from)})`,
  });
}

async function makeDue(
  tx: Transaction,
  { merchantId, id, status }: HeldDelivery,
  { set, condition }: { set: Sql; condition: Sql },
): Promise<void> {
  const delivery = sql`
    delivery as (
      update webhook_deliveries set ${set}, next_attempt_at = now(), updated_at = now()
      where merchant_id = ${merchantId} and id = ${id} and ${condition}
      returning merchant_id, endpoint_id, status, next_attempt_at)`;
  const due = sql`select merchant_id, endpoint_id, next_attempt_at as due_at from delivery`;
  await changeDeliveries(withinTransaction(tx), delivery, {
    statusBefore: sql`${status}::text`,
    also: sql`, ${rescheduledSooner([merchantId], due)}`,
  });
}
