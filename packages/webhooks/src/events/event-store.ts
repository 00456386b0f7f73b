import type { DeliveryId, EndpointId, EventId, MerchantId, ResourceId } from "@daric/domain/ids";
import { deliveryMachine } from "@daric/domain/webhook-delivery";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { arrayText, uuidArray } from "@daric/postgres/arrays";
import {
  empty,
  literals,
  milliseconds,
  one,
  oneOf,
  type Sql,
  sql,
  type Tie,
  type Transaction,
  tieTo,
} from "@daric/postgres/sql";
import { counted } from "@daric/totals/list-store";
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
export async function findSubscribers(
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

/** Returns the histories of those resources that have events, each read by its key. */
export async function loadEventHistories(
  tx: Transaction,
  resources: readonly Resource[],
  ids: readonly EventId[],
): Promise<EventHistories> {
  const merchantIds = resources.map(({ merchantId }) => merchantId);
  const rows = await tx.query<{ now: Date } & (EventHistory | { resourceId: null })>(sql`
    select clock.now, history.* from (select now() as now) clock
    left join (
      select resource.merchant_id as "merchantId", resource.id as "resourceId", seen."lastSequence", seen.ids
      from unnest(${uuidArray(merchantIds)}::uuid[], ${uuidArray(resources.map(({ id }) => id))}::uuid[]) as resource (merchant_id, id)
      cross join lateral (
        select max(sequence) as "lastSequence", coalesce(array_agg(id) filter (where id = any(${uuidArray(ids)}::uuid[])), '{}') as ids
        from webhook_events
        where merchant_id ${oneOf(merchantIds)} and merchant_id = resource.merchant_id and resource_id = resource.id) seen
      where seen."lastSequence" is not null) history on true`);
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

export type NewDelivery = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly endpoint: Pick<Subscriber, "id" | "merchantId">;
};

/** Deliveries of the same statement's events. */
export type NewDeliveries = {
  readonly deliveries: readonly NewDelivery[];
  /** from the start of the transaction */
  readonly firstDelayMs: number;
};

const MAC_BYTES = 32;

/**
 * Inserts events and their bodies with the same timestamp, each at the next place of its merchant, and their deliveries. The
 * merchants' places stay locked until the transaction ends, so write nothing after it that another may hold.
 *
 * Bodies and MACs are one parameter each, which the statement cuts. Counting is done here where possible, since sorts and
 * groups of the rows cost PostgreSQL more.
 */
export async function insertEvents(
  tx: Transaction,
  events: readonly EventRow[],
  { deliveries, firstDelayMs }: NewDeliveries = { deliveries: [], firstDelayMs: 0 },
): Promise<void> {
  const counts = countBy(events.map(({ merchantId }) => merchantId));
  const left = new Map(counts);
  const tie = tieTo([...counts.keys()], sql`event.merchant_id`);
  const lengths = events.map(({ body }) => body.length);
  const macs = Buffer.concat(events.map(({ mac }) => mac));
  const bodies = Buffer.concat(events.map(({ body }) => body));
  await tx.query(sql`
    with event as materialized (
      select * from unnest(
        ${uuidArray(events.map(({ merchantId }) => merchantId))}::uuid[], ${uuidArray(events.map(({ id }) => id))}::uuid[],
        ${arrayText(events.map(({ type }) => type))}::text[], ${uuidArray(events.map(({ resourceId }) => resourceId))}::uuid[],
        ${arrayText(events.map(({ sequence }) => sequence))}::integer[],
        ${arrayText(events.map(({ merchantId }) => takeOne(left, merchantId)))}::integer[],
        ${arrayText(startsOf(lengths))}::integer[], ${arrayText(lengths)}::integer[])
        with ordinality as event (merchant_id, id, type, resource_id, sequence, later, body_start, body_length, place)),
    held as (
      insert into event_positions (merchant_id, last_position)
      select * from unnest(${uuidArray([...counts.keys()])}::uuid[], ${arrayText([...counts.values()])}::bigint[]) as counted (merchant_id, events)
      order by merchant_id
      on conflict (merchant_id) do update set last_position = event_positions.last_position + excluded.last_position
      returning merchant_id, last_position),
    inserted as (
      insert into webhook_events (merchant_id, id, type, resource_id, sequence, mac, position)
      select ${tie.tenant}, id, type, resource_id, sequence,
        substring(${macs}::bytea, (place::integer - 1) * ${MAC_BYTES}::integer + 1, ${MAC_BYTES}::integer),
        held.last_position - later
      from event join held on held.merchant_id = event.merchant_id ${tie.join}),
    ${deliveries.length === 0 ? empty : withDeliveries(tie, { deliveries, firstDelayMs })}
    body as (
      insert into webhook_event_bodies (merchant_id, event_id, body)
      select ${tie.tenant}, id, substring(${bodies}::bytea, body_start, body_length) from event ${tie.join})
    select 1`);
}

function withDeliveries(tie: Tie, { deliveries, firstDelayMs }: NewDeliveries): Sql {
  const counts = countBy(deliveries.map(({ endpoint }) => endpoint.merchantId));
  const endpoints = [...new Set(deliveries.map(({ endpoint }) => endpoint))];
  const merchantIds = [...counts.keys()];
  const initial = literals(deliveryMachine.initial);
  const dueAt = sql`now() + ${milliseconds(firstDelayMs)}`;
  return sql`
    delivery as (
      insert into webhook_deliveries (
        merchant_id, id, event_id, endpoint_id, event_type, reference_id, status, next_attempt_at)
      select ${tie.tenant}, made.id, event.id, made.endpoint_id, event.type, coalesce(event.resource_id, made.endpoint_id), ${initial},
        ${dueAt}
      from unnest(
        ${uuidArray(deliveries.map(({ id }) => id))}::uuid[], ${uuidArray(deliveries.map(({ eventId }) => eventId))}::uuid[],
        ${uuidArray(deliveries.map(({ endpoint }) => endpoint.id))}::uuid[]) as made (id, event_id, endpoint_id)
      join event on event.id = made.event_id ${tie.join}),
    counts as (${counted(
      "webhook_deliveries",
      sql`select merchant_id, array[${initial}] as facets, delta
        from unnest(${uuidArray(merchantIds)}::uuid[], ${arrayText([...counts.values()])}::integer[]) as made (merchant_id, delta)`,
    )}),
    ${rescheduledSooner(
      merchantIds,
      sql`select merchant_id, endpoint_id, ${dueAt} as due_at from unnest(
        ${uuidArray(endpoints.map(({ merchantId }) => merchantId))}::uuid[],
        ${uuidArray(endpoints.map(({ id }) => id))}::uuid[]) as made (merchant_id, endpoint_id)`,
    )},`;
}

/** Where each part of these lengths begins in all of them together, counted from 1. */
function startsOf(lengths: readonly number[]): number[] {
  let end = 1;
  return lengths.map((length) => {
    end += length;
    return end - length;
  });
}

function countBy<K>(keys: readonly K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Takes one of a key, and returns how many are left of it. */
function takeOne<K>(left: Map<K, number>, key: K): number {
  const after = (left.get(key) ?? 0) - 1;
  left.set(key, after);
  return after;
}
