import { milliseconds, sql, type Transaction } from "@daric/postgres/sql";
import type { DeliveryId, EndpointId, EventId, MerchantId, ResourceId } from "../../domain/ids.ts";
import type { WebhookEventType } from "../../domain/webhook-event.ts";

/** An endpoint that takes part in a fan-out. */
export type Subscriber = {
  readonly id: EndpointId;
  readonly merchantId: MerchantId;
  readonly eventTypes: readonly WebhookEventType[];
};

/**
 * The endpoints of these merchants that subscribe to one of these types, disabled ones included. No lock is taken, so
 * that nothing a merchant does to an endpoint holds up the change that is announced: a delivery for one that is
 * deleted meanwhile ends like those that waited for it.
 */
export async function listSubscribers(
  tx: Transaction,
  merchantIds: readonly MerchantId[],
  types: readonly WebhookEventType[],
): Promise<Subscriber[]> {
  return tx.query<Subscriber>(sql`
    select id, merchant_id as "merchantId", event_types as "eventTypes"
    from webhook_endpoints
    where merchant_id = any(${merchantIds}::uuid[]) and deleted_at is null and event_types && ${types}::text[]
    order by id`);
}

/** What a resource has announced so far. */
export type EventHistory = {
  readonly resourceId: ResourceId;
  /** 0 before the first event */
  readonly lastSequence: number;
  readonly types: readonly WebhookEventType[];
  /** the database's time of this transaction, which stamps every row written in it */
  readonly now: Date;
};

/** One history for each of these resources, also for those without events. */
export async function loadEventHistories(
  tx: Transaction,
  resourceIds: readonly ResourceId[],
): Promise<EventHistory[]> {
  return tx.query<EventHistory>(sql`
    select resource.id as "resourceId", coalesce(max(event.sequence), 0) as "lastSequence",
      coalesce(array_agg(distinct event.type) filter (where event.id is not null), '{}') as types, now() as now
    from unnest(${resourceIds}::uuid[]) as resource (id)
    left join webhook_events event on event.resource_id = resource.id
    group by resource.id`);
}

export type EventRow = {
  readonly id: EventId;
  readonly merchantId: MerchantId;
  readonly type: WebhookEventType;
  readonly resourceId: ResourceId | null;
  readonly sequence: number;
  readonly body: Buffer;
};

export async function insertEvents(tx: Transaction, events: readonly EventRow[]): Promise<void> {
  await tx.query(sql`
    insert into webhook_events (id, merchant_id, type, resource_id, sequence, body)
    select * from unnest(
      ${events.map((event) => event.id)}::uuid[],
      ${events.map((event) => event.merchantId)}::uuid[],
      ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.resourceId)}::uuid[],
      ${events.map((event) => event.sequence)}::integer[],
      ${events.map((event) => event.body)}::bytea[])`);
}

/** A delivery to be made: `id` is its own, everything else comes from its event's row. */
export type NewDelivery = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly endpointId: EndpointId;
};

/** Puts deliveries in line, due `firstDelayMs` after the start of the transaction. */
export async function insertPendingDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  firstDelayMs: number,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id, next_attempt_at)
    select delivery.id, event.merchant_id, event.id, delivery.endpoint_id, event.type, event.resource_id,
      now() + ${milliseconds(firstDelayMs)}
    from unnest(
      ${deliveries.map((delivery) => delivery.id)}::uuid[],
      ${deliveries.map((delivery) => delivery.eventId)}::uuid[],
      ${deliveries.map((delivery) => delivery.endpointId)}::uuid[]) as delivery (id, event_id, endpoint_id)
    join webhook_events event on event.id = delivery.event_id`);
}
