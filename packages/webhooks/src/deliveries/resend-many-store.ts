import type { DeliveryId, EndpointId, EventId, MerchantId, ReferenceId } from "@daric/domain/ids";
import { deliveryMachine, type WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { laterBy, literals, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { counted, wanted } from "@daric/totals/list-store";
import type { EventRow } from "../events/event-store.ts";
import { rescheduledSooner } from "../queue/queue-store.ts";
import { hasReference, movesFrom } from "./delivery-store.ts";

const ended = deliveryMachine.edge("resent");
/** The statuses of deliveries that a merchant can have sent again; the others are on their way. */
export const resendableStatuses = ["FAILED", ...ended.from] as const;
export type ResendableStatus = (typeof resendableStatuses)[number];

/** `from` (inclusive) and `to` (exclusive) limit the time of the delivery. Tests never match. */
export type ResendFilter = {
  readonly merchantId: MerchantId;
  readonly from: Date;
  readonly to: Date;
  readonly endpointId: EndpointId | undefined;
  readonly referenceId: ReferenceId | undefined;
  readonly eventTypes: readonly WebhookEventType[] | undefined;
};

/** Counts the deliveries in a status that match, up to `max`. */
export async function countMatching(
  db: Queryable,
  filter: ResendFilter & { status: ResendableStatus },
  max: number,
): Promise<number> {
  const rows = await db.query<{ matching: number }>(sql`
    select count(*)::integer as matching from (
      select 1 from webhook_deliveries delivery where ${matching(filter)} limit ${max}) few`);
  return rows[0]?.matching ?? 0;
}

/** A delivery of an active endpoint whose body is kept `isSendable`. */
export type Matching = { readonly id: DeliveryId; readonly isSendable: boolean };

/** The next deliveries in a status that match, oldest first. */
export async function listMatching(
  db: Queryable,
  filter: ResendFilter & { status: ResendableStatus },
  { after, limit }: { after: DeliveryId | undefined; limit: number },
): Promise<Matching[]> {
  const { merchantId } = filter;
  return db.query<Matching>(sql`
    select chosen.id, endpoint.is_active and ${hasBody(merchantId, sql`event`)} as "isSendable"
    from (
      select id, event_id, endpoint_id, created_at from webhook_deliveries delivery
      where ${matching(filter)} ${wanted(
        after,
        (id) => sql`and (created_at, id) > (select last.created_at, last.id from webhook_deliveries last
          where last.merchant_id = ${merchantId} and last.id = ${id})`,
      )}
      order by created_at, id limit ${limit}) chosen
    join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId} and endpoint.id = chosen.endpoint_id
    join webhook_events event on event.merchant_id = ${merchantId} and event.id = chosen.event_id
    order by chosen.created_at, chosen.id`);
}

function matching(filter: ResendFilter & { status: ResendableStatus }): Sql {
  const { merchantId, status, from, to, endpointId, referenceId, eventTypes } = filter;
  return sql`merchant_id = ${merchantId} and status = ${literals(status)} and created_at >= ${from} and created_at < ${to}
    and event_type <> 'webhook.test'
    ${wanted(endpointId, (id) => sql`and endpoint_id = ${id}`)}
    ${wanted(referenceId, (id) => hasReference({ merchantId, id }))}
    ${wanted(eventTypes, (types) => sql`and event_type = any(${types}::text[])`)}`;
}

function hasBody(merchantId: MerchantId, event: Sql): Sql {
  return sql`exists (
    select from webhook_event_bodies body where body.merchant_id = ${merchantId}
      and body.event_id = ${event}.id and body.created_at = ${event}.created_at)`;
}

/** An event of a range, and its delivery to one endpoint. */
export type EventOfRange = {
  readonly id: EventId;
  readonly type: WebhookEventType;
  readonly resourceId: EventRow["resourceId"];
  readonly hasBody: boolean;
  readonly deliveryId: DeliveryId | null;
  readonly status: WebhookDeliveryStatus | null;
};

export type EventRange = { readonly merchantId: MerchantId; readonly from: Date; readonly to: Date };

/** Counts the events of a range, up to `max`. */
export async function countEvents(
  db: Queryable,
  { merchantId, from, to }: EventRange,
  max: number,
): Promise<number> {
  const rows = await db.query<{ events: number }>(sql`
    select count(*)::integer as events from (
      select 1 from webhook_events
      where merchant_id = ${merchantId} and created_at >= ${from} and created_at < ${to} limit ${max}) few`);
  return rows[0]?.events ?? 0;
}

/** The next events of a range, oldest first, with their deliveries to an endpoint. */
export async function listEventsOfRange(
  db: Queryable,
  { merchantId, endpointId, from, to }: EventRange & { endpointId: EndpointId },
  { after, limit }: { after: EventId | undefined; limit: number },
): Promise<EventOfRange[]> {
  return db.query<EventOfRange>(sql`
    select event.id, event.type, event.resource_id as "resourceId", ${hasBody(merchantId, sql`event`)} as "hasBody",
      delivery.id as "deliveryId", delivery.status
    from (
      select id, type, resource_id, created_at from webhook_events
      where merchant_id = ${merchantId} and created_at >= ${from} and created_at < ${to} ${wanted(
        after,
        (id) => sql`and (created_at, id) > (select last.created_at, last.id from webhook_events last
          where last.merchant_id = ${merchantId} and last.id = ${id})`,
      )}
      order by created_at, id limit ${limit}) event
    left join webhook_deliveries delivery on delivery.merchant_id = ${merchantId}
      and delivery.event_id = event.id and delivery.endpoint_id = ${endpointId}
    order by event.created_at, event.id`);
}

type Planned<Row> = { readonly row: Row; readonly delayMs: number };

/**
 * Makes deliveries due after their delays, unless they are due sooner: ended ones for one attempt, FAILED ones for
 * their next. One that has left these statuses, or is locked, is skipped. Returns how many.
 */
export async function makeManyDue(
  db: Queryable,
  merchantId: MerchantId,
  planned: readonly Planned<{ id: DeliveryId }>[],
): Promise<number> {
  if (planned.length === 0) return 0;
  const ids = planned.map(({ row }) => row.id);
  const delays = planned.map(({ delayMs }) => delayMs);
  const delay = sql`(${delays}::integer[])[held.place] * interval '1 millisecond'`;
  const due = await db.query(sql`
    with held as (
      select free.*, array_position(${ids}::uuid[], free.id) as place from (
        select id, status, status in (${literals(...ended.from)}) as is_ended from webhook_deliveries
        where merchant_id = ${merchantId} and id = any(${ids}::uuid[]) and status in (${literals(...resendableStatuses)})
        order by id for update skip locked) free),
    delivery as (
      update webhook_deliveries delivery set
        status = case when held.is_ended then ${ended.to} else held.status end,
        was_resent = delivery.was_resent or held.is_ended,
        next_attempt_at = least(delivery.next_attempt_at, ${laterBy(sql`clock.now`, delay)}),
        expires_at = ${laterBy(sql`clock.now`, sql`interval '4 days'`)}, updated_at = clock.now
      from held, (select now() as now) clock
      where delivery.merchant_id = ${merchantId} and delivery.id = held.id
      returning delivery.merchant_id, delivery.endpoint_id, delivery.status, delivery.next_attempt_at,
        held.status as status_before),
    counts as (${counted("webhook_deliveries", movesFrom(sql`status_before`))}),
    ${rescheduledSooner([merchantId], sql`select merchant_id, endpoint_id, next_attempt_at as due_at from delivery`)}
    select from delivery`);
  return due.length;
}

/** Inserts deliveries of events to an endpoint that has none of them yet. Returns how many. */
export async function insertMissed(
  db: Queryable,
  { merchantId, endpointId }: { merchantId: MerchantId; endpointId: EndpointId },
  planned: readonly Planned<{ id: DeliveryId; event: EventOfRange }>[],
): Promise<number> {
  if (planned.length === 0) return 0;
  const inserted = await db.query(sql`
    with delivery as (
      insert into webhook_deliveries (
        merchant_id, id, event_id, endpoint_id, event_type, reference_id, status, next_attempt_at)
      select ${merchantId}, missed.id, missed.event_id, ${endpointId}, missed.type, missed.resource_id,
        ${literals(deliveryMachine.initial)}, now() + missed.delay_ms * interval '1 millisecond'
      from unnest(
        ${planned.map(({ row }) => row.id)}::uuid[],
        ${planned.map(({ row }) => row.event.id)}::uuid[],
        ${planned.map(({ row }) => row.event.type)}::text[],
        ${planned.map(({ row }) => row.event.resourceId)}::uuid[],
        ${planned.map(({ delayMs }) => delayMs)}::integer[]) as missed (id, event_id, type, resource_id, delay_ms)
      on conflict (merchant_id, event_id, endpoint_id) do nothing
      returning merchant_id, endpoint_id, status, next_attempt_at),
    counts as (${counted("webhook_deliveries", sql`select merchant_id, array[status] as facets, 1 as delta from delivery`)}),
    ${rescheduledSooner([merchantId], sql`select merchant_id, endpoint_id, next_attempt_at as due_at from delivery`)}
    select from delivery`);
  return inserted.length;
}
