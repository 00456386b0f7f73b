import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { deliveryMachine } from "@daric/domain/webhook-delivery";
import {
  type Database,
  empty,
  joinedOf,
  literals,
  milliseconds,
  oneOf,
  replanned,
  type Sql,
  sql,
} from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { counted } from "@daric/totals/list-store";
import { MAY_PAUSE_FOR, PROBE_EVERY } from "../queue/health-store.ts";
import { countMoves } from "./count-store.ts";
import { type ClaimedDelivery, claimColumns, movesFrom } from "./delivery-store.ts";
import { SHARE, UNKNOWN_PER_SLOT } from "./lanes.ts";

const claimed = deliveryMachine.edge("claimed");
const isWaiting = sql`status in (${literals(...claimed.from)})`;

const isPaused = sql`(health.paused_until > now())`;

/** The most claims of an endpoint of which none is held, and which accepted its last attempt: its pace is not known. */
const ROOM_OF_WELL = 128;

/** Of each endpoint a claim reads at most so many times an even share, or the least if that is more. */
const SHARES = 2;
const MIN_SHARE = 32;

/** The due endpoints of these merchants in a state, joined as `endpoint`. */
export function dueEndpoints(merchantIds: readonly MerchantId[], state: Sql): Sql {
  return sql`endpoint_queue queue
    join webhook_endpoints endpoint on endpoint.merchant_id = queue.merchant_id and endpoint.id = queue.endpoint_id
      and endpoint.merchant_id ${oneOf(merchantIds)} and ${state}`;
}

export type ClaimOptions = {
  /** at most 200 */
  readonly merchantIds: readonly MerchantId[];
  /** most rows */
  readonly limit: number;
  /** how many more this process may hold */
  readonly free: number;
  /** what this process holds, by merchant */
  readonly held: ReadonlyMap<MerchantId, number>;
  /** what this process may claim of an endpoint */
  readonly rooms: ReadonlyMap<EndpointId, number>;
  /** the same of an endpoint that is not among them: twice as many without health, 128 if it accepted its last attempt */
  readonly perEndpoint: number;
  readonly leaseMs: number;
};

/**
 * Claims due deliveries of active endpoints: merchants take turns, then their endpoints, then the oldest first. The
 * merchant of which the fewest are held is first; none may hold more than {@link SHARE} times what is free then. Of a
 * suspended endpoint one is claimed a minute, and none of one that asked for a pause before its end. Parked deliveries and rows of a concurrent claim are skipped.
 */
export async function claimDueDeliveries(db: Database, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const statement = replanned(claimStatement(options));
  if (!isSharded()) return db.query<ClaimedDelivery>(statement);
  return db.transaction(async (tx) => {
    const claims = await tx.query<ClaimedDelivery>(statement);
    await countMoves(
      tx,
      claims.map(({ merchantId, statusBefore }) => ({ merchantId, statusBefore, status: claimed.to })),
    );
    return claims;
  });
}

/**
 * The statement of {@link claimDueDeliveries}, exported to test its plan. Each candidate is found by its key: without
 * statistics the planner would compare all that waits with all candidates. The `case` keeps it from partial indexes.
 */
export function claimStatement(options: ClaimOptions): Sql {
  const { merchantIds, limit, free, held, rooms, perEndpoint } = options;
  const of = joinedOf(sql`merchant_id`, merchantIds);
  return sql`
    with probed as (
      update endpoint_health health set probe_at = now() + ${PROBE_EVERY}
      from endpoint_queue queue
      where health.merchant_id ${oneOf(merchantIds)} and health.probe_at <= now() and ${isPaused} is not true
        and queue.merchant_id = health.merchant_id and queue.endpoint_id = health.endpoint_id
        and queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now()
        and exists (
          select from webhook_deliveries
          where ${of} and merchant_id = health.merchant_id and endpoint_id = health.endpoint_id and ${isWaiting}
            and next_attempt_at <= now())
      returning health.merchant_id, health.endpoint_id),
    endpoint as (
      select endpoint.merchant_id, endpoint.id, endpoint.resumed_at, coalesce(busy.held, 0) as held,
        coalesce(health.paused_since > now() - ${MAY_PAUSE_FOR}, true) as may_pause,
        least(${limit}::integer,
          greatest(${MIN_SHARE}::integer, ${SHARES}::integer * ${limit}::integer / count(*) over ()), case
          when ${isPaused} then 0
          when health.probe_at is not null then case when probed.endpoint_id is null then 0 else 1 end
          when room.room is not null then room.room
          when health.endpoint_id is null then ${UNKNOWN_PER_SLOT}::integer * ${perEndpoint}::integer
          when health.last_success_at is not null and health.failing_since is null
            then greatest(${perEndpoint}::integer, ${ROOM_OF_WELL}::integer)
          else ${perEndpoint}::integer end) as room
      from ${dueEndpoints(merchantIds, sql`endpoint.is_active and endpoint.deleted_at is null`)}
      left join endpoint_health health on health.merchant_id = queue.merchant_id
        and health.endpoint_id = queue.endpoint_id and ${joinedOf(sql`health.merchant_id`, merchantIds)}
      left join probed on probed.merchant_id = queue.merchant_id and probed.endpoint_id = queue.endpoint_id
      left join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[])
        as room (endpoint_id, room) on room.endpoint_id = queue.endpoint_id
      left join unnest(${[...held.keys()]}::uuid[], ${[...held.values()]}::integer[])
        as busy (merchant_id, held) on busy.merchant_id = queue.merchant_id
      where queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now()),
    of_merchant as (
      select waiting.merchant_id, waiting.id, waiting.next_attempt_at, endpoint.may_pause, endpoint.held
        + row_number() over (partition by waiting.merchant_id order by waiting.turn, waiting.next_attempt_at) as turn
      from endpoint
      cross join lateral (
        select merchant_id, id, next_attempt_at, row_number() over (order by next_attempt_at) as turn
        from webhook_deliveries
        where ${of} and merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id and ${isWaiting}
          and next_attempt_at <= now() and next_attempt_at > endpoint.resumed_at and expires_at > now()
        order by next_attempt_at limit endpoint.room) waiting),
    candidate as (
      select merchant_id, id, may_pause, turn, row_number() over (order by turn, next_attempt_at) as place from of_merchant),
    taken as (
      select held.*, candidate.may_pause from candidate
      cross join lateral (
        select merchant_id, id, status from webhook_deliveries
        where ${of} and merchant_id = candidate.merchant_id and id = candidate.id
          and case when ${isWaiting} then next_attempt_at <= now() end
        for update skip locked) held
      where place <= ${limit} and turn <= ${SHARE}::integer * (${free}::integer - place + 1)),
    delivery as (
      update webhook_deliveries delivery set
        status = ${claimed.to}, next_attempt_at = null, lease_until = now() + ${milliseconds(options.leaseMs)},
        lease_number = delivery.lease_number + 1, attempt_count = delivery.attempt_count + 1, updated_at = now()
      from taken
      where ${joinedOf(sql`delivery.merchant_id`, merchantIds)}
        and delivery.merchant_id = taken.merchant_id and delivery.id = taken.id
      returning delivery.*, taken.status as status_before, taken.may_pause)
    ${isSharded() ? empty : sql`, counts as (${counted("webhook_deliveries", movesFrom(sql`status_before`))})`}
    ${claimColumns(sql`delivery.status_before`, merchantIds)}`;
}
