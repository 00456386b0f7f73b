import type { MerchantId } from "@daric/domain/ids";
import { deliveryMachine } from "@daric/domain/webhook-delivery";
import { type Database, joinedOf, literals, milliseconds, oneOf, sql } from "@daric/postgres/sql";
import { changeDeliveries } from "./count-store.ts";
import { dueEndpoints } from "./waiting-store.ts";

const abandoned = deliveryMachine.edge("abandoned");
const isWaiting = sql`status in (${literals(...deliveryMachine.edge("claimed").from)})`;
const mayBeAbandoned = sql`status in (${literals(...abandoned.from)})`;

/**
 * Ends some waiting deliveries whose four days are over (`expired`); returns how many. Locked rows are skipped.
 */
export async function expireWaiting(
  db: Database,
  { merchantIds, limit }: { merchantIds: readonly MerchantId[]; limit: number },
): Promise<number> {
  const late = sql`
    endpoint as (
      select queue.merchant_id, queue.endpoint_id from endpoint_queue queue
      where queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now()),
    late as (
      select waiting.* from endpoint
      cross join lateral (
        select merchant_id, id, status as status_before from webhook_deliveries
        where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = endpoint.merchant_id
          and endpoint_id = endpoint.endpoint_id and ${mayBeAbandoned} and expires_at <= now()
        order by expires_at limit ${limit} for update skip locked) waiting
      limit ${limit}),
    delivery as (
      update webhook_deliveries delivery
      set status = ${abandoned.to}, next_attempt_at = null, updated_at = now(), last_error = 'expired'
      from late
      where delivery.merchant_id ${oneOf(merchantIds)}
        and delivery.merchant_id = late.merchant_id and delivery.id = late.id
      returning delivery.merchant_id, delivery.status, status_before)`;
  return changeDeliveries(db, late, { statusBefore: sql`status_before` });
}

/**
 * Ends some waiting deliveries of deleted endpoints (`endpoint_deleted`), and those due for more than `parkedForMs`
 * at disabled ones (`parked_too_long`); returns how many. Locked rows are skipped.
 */
export async function expireAbandoned(
  db: Database,
  options: { merchantIds: readonly MerchantId[]; parkedForMs: number; limit: number },
): Promise<number> {
  const { merchantIds, parkedForMs, limit } = options;
  const closed = sql`
    closed as (
      select endpoint.merchant_id, endpoint.id, endpoint.deleted_at is not null as is_deleted,
        case when endpoint.deleted_at is null then now() - ${milliseconds(parkedForMs)} else 'infinity' end as ends_before
      from ${dueEndpoints(merchantIds, sql`not endpoint.is_active`)}
      where queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now()),
    abandoned as (
      select waiting.*, closed.is_deleted from closed
      cross join lateral (
        select merchant_id, id, status as status_before from webhook_deliveries
        where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = closed.merchant_id and endpoint_id = closed.id and ${mayBeAbandoned}
          and next_attempt_at < closed.ends_before
        order by next_attempt_at limit ${limit} for update skip locked) waiting
      limit ${limit}),
    delivery as (
      update webhook_deliveries delivery
      set status = ${abandoned.to}, next_attempt_at = null, updated_at = now(),
        last_error = case when is_deleted then 'endpoint_deleted' else 'parked_too_long' end
      from abandoned
      where delivery.merchant_id ${oneOf(merchantIds)}
        and delivery.merchant_id = abandoned.merchant_id and delivery.id = abandoned.id
      returning delivery.merchant_id, delivery.status, status_before)`;
  return changeDeliveries(db, closed, { statusBefore: sql`status_before` });
}

/**
 * Schedules the oldest parked deliveries of one enabled endpoint, `everyMs` apart, once fewer than `aheadMs` are
 * scheduled. Deliveries older than `parkedForMs` when it was enabled end as `parked_too_long`. Returns how many
 * changed. A locked endpoint is skipped.
 */
export async function resumeParked(
  db: Database,
  options: {
    merchantIds: readonly MerchantId[];
    parkedForMs: number;
    everyMs: number;
    aheadMs: number;
    limit: number;
  },
): Promise<number> {
  const { merchantIds, parkedForMs, everyMs, aheadMs, limit } = options;
  const placed = sql`
    resumed as (
      select held.* from (
      select endpoint.merchant_id, endpoint.id, resumed_at, greatest(lined_up_until, now()) as behind
      from ${dueEndpoints(merchantIds, sql`endpoint.is_active`)}
      where queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now()
        and lined_up_until < now() + ${milliseconds(aheadMs)}
        and resumed_at >= (
          select next_attempt_at from webhook_deliveries
          where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = endpoint.merchant_id
            and endpoint_id = endpoint.id and ${isWaiting}
          order by next_attempt_at limit 1)
      order by lined_up_until limit 1
      for no key update of endpoint skip locked) held),
    parked as (
      select held.* from (
      select parked.merchant_id, parked.id, status, next_attempt_at, behind,
        ${mayBeAbandoned} and created_at < resumed_at - ${milliseconds(parkedForMs)} as is_old
      from resumed join webhook_deliveries parked
        on parked.merchant_id = resumed.merchant_id and parked.endpoint_id = resumed.id
      where parked.merchant_id ${oneOf(merchantIds)} and ${isWaiting} and next_attempt_at <= resumed_at
      order by next_attempt_at, parked.id limit ${limit}
      for update of parked skip locked) held),
    placed as (
      select merchant_id, id, status as status_before, is_old, behind
        + row_number() over (partition by is_old order by next_attempt_at, id) * ${milliseconds(everyMs)} as due_at
      from parked),
    delivery as (
      update webhook_deliveries delivery
      set status = case when is_old then ${abandoned.to} else status end, updated_at = now(),
        next_attempt_at = case when is_old then null else due_at end,
        last_error = case when is_old then 'parked_too_long' else last_error end
      from placed
      where delivery.merchant_id ${oneOf(merchantIds)}
        and delivery.merchant_id = placed.merchant_id and delivery.id = placed.id
      returning delivery.merchant_id, delivery.endpoint_id, delivery.status, next_attempt_at, status_before)`;
  const lengthened = sql`, lengthened as (
      update webhook_endpoints endpoint set lined_up_until = line.until
      from (
        select merchant_id, endpoint_id, max(next_attempt_at) as until
        from delivery where next_attempt_at is not null group by merchant_id, endpoint_id) line
      where endpoint.merchant_id ${oneOf(merchantIds)}
        and endpoint.merchant_id = line.merchant_id and endpoint.id = line.endpoint_id)`;
  return changeDeliveries(db, placed, { statusBefore: sql`status_before`, also: lengthened });
}
