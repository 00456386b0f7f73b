import { joinedOf, literals, milliseconds, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "../../domain/ids.ts";
import { deliveryMachine } from "../../domain/webhook-delivery.ts";
import { counted } from "../../totals/list-store.ts";
import { movesFrom } from "./delivery-store.ts";
import { dueEndpoints } from "./waiting-store.ts";

const abandoned = deliveryMachine.edge("abandoned");
const mayBeAbandoned = sql`status in (${literals(...abandoned.from)})`;

/**
 * Ends some waiting deliveries whose four days are over (`expired`); returns how many. Locked rows are skipped.
 */
export async function expireWaiting(
  db: Queryable,
  { merchantIds, limit }: { merchantIds: readonly MerchantId[]; limit: number },
): Promise<number> {
  const ended = await db.query(sql`
    with endpoint as (
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
      returning delivery.merchant_id, delivery.status, status_before),
    counts as (${counted("webhook_deliveries", movesFrom(sql`status_before`))})
    select from delivery`);
  return ended.length;
}

/**
 * Ends some waiting deliveries of deleted endpoints (`endpoint_deleted`), and those due for more than `parkedForMs`
 * at disabled ones (`parked_too_long`); returns how many. Locked rows are skipped.
 */
export async function expireAbandoned(
  db: Queryable,
  options: { merchantIds: readonly MerchantId[]; parkedForMs: number; limit: number },
): Promise<number> {
  const { merchantIds, parkedForMs, limit } = options;
  const ended = await db.query(sql`
    with closed as (
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
      returning delivery.merchant_id, delivery.status, status_before),
    counts as (${counted("webhook_deliveries", movesFrom(sql`status_before`))})
    select from delivery`);
  return ended.length;
}
