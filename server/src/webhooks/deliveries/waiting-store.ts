import { literals, milliseconds, type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "../../domain/ids.ts";
import { deliveryMachine } from "../../domain/webhook-delivery.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";

const claimed = deliveryMachine.edge("claimed");
const abandoned = deliveryMachine.edge("abandoned");
const isWaiting = sql`status in (${literals(...claimed.from)})`;
const mayBeAbandoned = sql`status in (${literals(...abandoned.from)})`;

/** Walks the index from endpoint to endpoint: one probe for each that has work, whatever its backlog. */
const endpointsWithWork = sql`
  with recursive with_work (endpoint_id, due_at) as (
    (select endpoint_id, next_attempt_at from webhook_deliveries where ${isWaiting}
     order by endpoint_id, next_attempt_at limit 1)
    union all
    select following.endpoint_id, following.next_attempt_at
    from with_work cross join lateral (
      select endpoint_id, next_attempt_at from webhook_deliveries
      where ${isWaiting} and endpoint_id > with_work.endpoint_id
      order by endpoint_id, next_attempt_at limit 1) following)`;

export type ClaimOptions = {
  /** at most so many rows */
  readonly free: number;
  /** at most so many rows beside the first of each merchant that has nothing under way; may be negative */
  readonly shared: number;
  /** attempts under way in this process */
  readonly underWay: ReadonlyMap<MerchantId, number>;
  /** attempts to one endpoint at once, in all processes */
  readonly perEndpoint: number;
  readonly leaseMs: number;
};

/**
 * Takes due deliveries of active endpoints, all merchants in turn, of each all its endpoints in turn, of each its
 * oldest first. A turn is the number that the attempt would be among those under way, so that whoever has fewest is
 * first; test events, which have slots of their own, do not count. What came due before its endpoint was enabled again
 * is parked and not taken. Two processes that claim in the same instant can exceed `perEndpoint` once. Rows that another
 * claim is taking are passed over.
 */
export async function claimDueDeliveries(db: Queryable, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const { free, shared, underWay, perEndpoint } = options;
  return db.query<ClaimedDelivery>(sql`
    ${endpointsWithWork},
    due as (
      select delivery.id, delivery.next_attempt_at, endpoint.merchant_id, sending.attempts + delivery.place as turn
      from with_work
      join webhook_endpoints endpoint
        on endpoint.id = with_work.endpoint_id and endpoint.is_active and endpoint.deleted_at is null
      cross join lateral (
        select count(*) as attempts from webhook_deliveries under_way
        where under_way.endpoint_id = endpoint.id and under_way.status = ${literals(claimed.to)}
          and under_way.event_type <> 'webhook.test') sending
      cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place
        from webhook_deliveries
        where ${isWaiting} and endpoint_id = endpoint.id
          and next_attempt_at <= now() and next_attempt_at > endpoint.resumed_at
        order by next_attempt_at limit ${Math.min(perEndpoint, free)}) delivery
      where with_work.due_at <= now() and sending.attempts + delivery.place <= ${perEndpoint}),
    of_merchant as (
      select due.id, due.next_attempt_at, coalesce(busy.attempts, 0)
        + row_number() over (partition by due.merchant_id order by due.turn, due.next_attempt_at) as turn
      from due
      left join unnest(${[...underWay.keys()]}::uuid[], ${[...underWay.values()]}::integer[])
        as busy (merchant_id, attempts) on busy.merchant_id = due.merchant_id),
    candidate as (
      select id, turn, row_number() over (order by turn, next_attempt_at) as place from of_merchant),
    taken as (
      select id, status from webhook_deliveries
      where id in (select id from candidate where place <= ${free} and (turn = 1 or place <= ${shared}))
        and ${isWaiting} and next_attempt_at <= now()
      for update skip locked)
    update webhook_deliveries delivery set
      status = ${claimed.to}, next_attempt_at = null, lease_until = now() + ${milliseconds(options.leaseMs)},
      lease_number = delivery.lease_number + 1, attempt_count = delivery.attempt_count + 1, updated_at = now()
    from taken, webhook_endpoints endpoint, webhook_events event
    where delivery.id = taken.id and endpoint.id = delivery.endpoint_id and event.id = delivery.event_id
    returning delivery.id as "deliveryId", delivery.lease_number as "leaseNumber",
      delivery.attempt_count as attempt, delivery.endpoint_id as "endpointId",
      delivery.event_type as "eventType", taken.status as "statusBefore", delivery.merchant_id as "merchantId",
      endpoint.url, endpoint.secret_ciphertext as "sealedSecret", event.id as "eventId", event.body`);
}

/**
 * Ends some deliveries that wait for a deleted endpoint (`endpoint_deleted`), or came due more than `parkedForMs` ago
 * and wait for a disabled one (`parked_too_long`), and answers how many. What waits is read oldest first and no
 * further, so that a call without anything to end costs a probe per endpoint. Rows that somebody holds are passed over.
 */
export async function exhaustAbandoned(
  db: Queryable,
  options: { parkedForMs: number; limit: number },
): Promise<number> {
  const { parkedForMs, limit } = options;
  const ended = await db.query(sql`
    ${endpointsWithWork},
    closed as (
      select id, deleted_at is not null as is_deleted,
        case when deleted_at is null then now() - ${milliseconds(parkedForMs)} else 'infinity' end as ends_before
      from with_work join webhook_endpoints on id = endpoint_id
      where not is_active),
    abandoned as (
      select delivery.id, closed.is_deleted from closed
      cross join lateral (
        select id from webhook_deliveries
        where ${mayBeAbandoned} and endpoint_id = closed.id and next_attempt_at < closed.ends_before
        order by next_attempt_at limit ${limit} for update skip locked) delivery
      limit ${limit})
    update webhook_deliveries delivery
    set status = ${abandoned.to}, next_attempt_at = null, updated_at = now(),
      last_error = case when is_deleted then 'endpoint_deleted' else 'parked_too_long' end
    from abandoned where delivery.id = abandoned.id
    returning delivery.id`);
  return ended.length;
}

/**
 * Gives the oldest parked deliveries of one endpoint that was enabled again a time each, `everyMs` apart, behind those
 * that have one; a delivery that was older than `parkedForMs` when it was enabled ends as `parked_too_long`. The line
 * is made longer only once it is shorter than `aheadMs`. Answers how many deliveries were placed or ended. An endpoint
 * that somebody else is working on is passed over.
 */
export async function lineUpParked(
  db: Queryable,
  options: { parkedForMs: number; everyMs: number; aheadMs: number; limit: number },
): Promise<number> {
  const { parkedForMs, everyMs, aheadMs, limit } = options;
  const moved = await db.query(sql`
    ${endpointsWithWork},
    resumed as (
      select endpoint.id, resumed_at, greatest(lined_up_until, now()) as behind
      from with_work join webhook_endpoints endpoint on endpoint.id = with_work.endpoint_id
      where is_active and due_at <= resumed_at and lined_up_until < now() + ${milliseconds(aheadMs)}
      order by lined_up_until limit 1
      for no key update of endpoint skip locked),
    parked as (
      select delivery.id, next_attempt_at, behind,
        ${mayBeAbandoned} and created_at < resumed_at - ${milliseconds(parkedForMs)} as is_old
      from resumed join webhook_deliveries delivery on endpoint_id = resumed.id
      where ${isWaiting} and next_attempt_at <= resumed_at
      order by next_attempt_at, delivery.id limit ${limit}
      for update of delivery skip locked),
    placed as (
      select id, is_old, behind
        + row_number() over (partition by is_old order by next_attempt_at, id) * ${milliseconds(everyMs)} as due_at
      from parked),
    moved as (
      update webhook_deliveries delivery
      set status = case when is_old then ${abandoned.to} else status end, updated_at = now(),
        next_attempt_at = case when is_old then null else due_at end,
        last_error = case when is_old then 'parked_too_long' else last_error end
      from placed where delivery.id = placed.id
      returning endpoint_id, next_attempt_at),
    lengthened as (
      update webhook_endpoints set lined_up_until = (select max(next_attempt_at) from moved)
      where id in (select endpoint_id from moved where next_attempt_at is not null))
    select next_attempt_at from moved`);
  return moved.length;
}
