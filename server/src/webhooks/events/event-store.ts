import { literals, milliseconds, one, oneOf, sql, type Transaction } from "@daric/postgres/sql";
import type { DeliveryId, EndpointId, EventId, MerchantId, ResourceId } from "../../domain/ids.ts";
import { deliveryMachine } from "../../domain/webhook-delivery.ts";
import type { WebhookEventType } from "../../domain/webhook-event.ts";
import { counted } from "../../totals/list-store.ts";
import { rescheduledSooner } from "../queue/queue-store.ts";

export type Subscriber = {
  readonly id: EndpointId;
  readonly merchantId: MerchantId;
  readonly eventTypes: readonly WebhookEventType[];
};

/**
 * Returns the endpoints that subscribe to one of these types, disabled ones included. Without a lock, so that a
 * merchant's change of an endpoint does not delay the announced change. Deliveries of an endpoint deleted meanwhile
 * end like its others.
 */
export async function listSubscribers(
  tx: Transaction,
  merchantIds: readonly MerchantId[],
  types: readonly WebhookEventType[],
): Promise<Subscriber[]> {
  return tx.query<Subscriber>(sql`
    select id, merchant_id as "merchantId", event_types as "eventTypes"
    from webhook_endpoints
    where merchant_id ${oneOf(merchantIds)} and deleted_at is null and event_types && ${types}::text[]
    order by id`);
}

/** A deposit or a charge. */
export type Resource = { readonly merchantId: MerchantId; readonly id: ResourceId };

/** The events of a resource so far. */
export type EventHistory = {
  readonly merchantId: MerchantId;
  readonly resourceId: ResourceId;
  readonly lastSequence: number;
  /** the requested ids that were announced before */
  readonly ids: readonly EventId[];
};

/** `now` is the database's time of this transaction, the timestamp of all its rows. */
export type EventHistories = { readonly now: Date; readonly histories: readonly EventHistory[] };

/** Returns the histories of those resources that have events. */
export async function loadEventHistories(
  tx: Transaction,
  resources: readonly Resource[],
  ids: readonly EventId[],
): Promise<EventHistories> {
  const merchantIds = resources.map(({ merchantId }) => merchantId);
  const rows = await tx.query<{ now: Date } & (EventHistory | { resourceId: null })>(sql`
    select clock.now, history.* from (select now() as now) clock
    left join (
      select event.merchant_id as "merchantId", event.resource_id as "resourceId", max(event.sequence) as "lastSequence",
        coalesce(array_agg(event.id) filter (where event.id = any(${ids}::uuid[])), '{}') as ids
      from unnest(${merchantIds}::uuid[], ${resources.map(({ id }) => id)}::uuid[]) as resource (merchant_id, id)
      join webhook_events event on event.merchant_id ${oneOf(merchantIds)}
        and event.merchant_id = resource.merchant_id and event.resource_id = resource.id
      group by event.merchant_id, event.resource_id) history on true`);
  const [{ now } = one(rows)] = rows;
  return { now, histories: rows.filter((row): row is typeof row & EventHistory => row.resourceId !== null) };
}

export type EventRow = {
  readonly id: EventId;
  readonly merchantId: MerchantId;
  readonly type: WebhookEventType;
  readonly resourceId: ResourceId | null;
  readonly sequence: number;
  readonly body: Buffer;
  /** covers merchant, id and body */
  readonly mac: Buffer;
};

/**
 * Inserts events and their bodies with the same timestamp, each at the next place of its merchant. The merchants'
 * places stay locked until the transaction ends, so write nothing after it that another may hold.
 */
export async function insertEvents(tx: Transaction, events: readonly EventRow[]): Promise<void> {
  const bodies = slicesOf(events.map(({ body }) => body));
  const macs = slicesOf(events.map(({ mac }) => mac));
  await tx.query(sql`
    with event as (
      select merchant_id, id, type, resource_id, sequence, place,
        substring(${bodies.bytes}::bytea, body_start, body_length) as body,
        substring(${macs.bytes}::bytea, mac_start, mac_length) as mac
      from unnest(
        ${events.map((event) => event.merchantId)}::uuid[],
        ${events.map((event) => event.id)}::uuid[],
        ${events.map((event) => event.type)}::text[],
        ${events.map((event) => event.resourceId)}::uuid[],
        ${events.map((event) => event.sequence)}::integer[],
        ${bodies.starts}::integer[], ${bodies.lengths}::integer[],
        ${macs.starts}::integer[], ${macs.lengths}::integer[])
        with ordinality as event (merchant_id, id, type, resource_id, sequence, body_start, body_length, mac_start,
          mac_length, place)),
    held as (
      insert into event_positions (merchant_id, last_position)
      select merchant_id, count(*) from event group by merchant_id order by merchant_id
      on conflict (merchant_id) do update set last_position = event_positions.last_position + excluded.last_position
      returning merchant_id, last_position),
    inserted as (
      insert into webhook_events (merchant_id, id, type, resource_id, sequence, mac, position)
      select event.merchant_id, id, type, resource_id, sequence, mac,
        held.last_position + 1 - row_number() over (partition by event.merchant_id order by place desc)
      from event join held on held.merchant_id = event.merchant_id)
    insert into webhook_event_bodies (merchant_id, event_id, body)
    select merchant_id, id, body from event`);
}

/**
 * Many byte strings as one parameter, and where each begins, counted from 1. The driver would send an array of them as
 * hexadecimal text, which both sides convert.
 */
function slicesOf(parts: readonly Buffer[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
  let end = 1;
  const starts = parts.map(({ length }) => {
    end += length;
    return end - length;
  });
  return { bytes: Buffer.concat(parts), starts, lengths: parts.map(({ length }) => length) };
}

export type NewDelivery = {
  readonly id: DeliveryId;
  readonly event: Pick<EventRow, "id" | "merchantId" | "type" | "resourceId">;
  readonly endpointId: EndpointId;
};

/** Inserts deliveries that are due `firstDelayMs` after the start of the transaction. */
export async function insertPendingDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  firstDelayMs: number,
): Promise<void> {
  const merchantIds = deliveries.map(({ event }) => event.merchantId);
  await tx.query(sql`
    with inserted as (
      insert into webhook_deliveries (
        merchant_id, id, event_id, endpoint_id, event_type, reference_id, status, next_attempt_at)
      select delivery.*, ${literals(deliveryMachine.initial)}, now() + ${milliseconds(firstDelayMs)}
      from unnest(
        ${merchantIds}::uuid[],
        ${deliveries.map((delivery) => delivery.id)}::uuid[],
        ${deliveries.map(({ event }) => event.id)}::uuid[],
        ${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
        ${deliveries.map(({ event }) => event.type)}::text[],
        ${deliveries.map(({ event }) => event.resourceId)}::uuid[]) as delivery
      returning merchant_id, endpoint_id, status, next_attempt_at),
    counts as (${counted("webhook_deliveries", sql`select merchant_id, array[status] as facets, 1 as delta from inserted`)}),
    ${rescheduledSooner(merchantIds, sql`select merchant_id, endpoint_id, next_attempt_at as due_at from inserted`)}
    select from inserted limit 0`);
}
