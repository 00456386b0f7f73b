import type { MerchantId } from "@daric/domain/ids";
import { finalDeliveryStatuses, openDeliveryStatuses } from "@daric/domain/webhook-delivery";
import { literals, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import { counted } from "@daric/totals/list-store";

/** The tables that are partitioned by month. */
export const monthlyTables = ["webhook_event_bodies", "webhook_attempts", "deposit_events"] as const;
export type MonthlyTable = (typeof monthlyTables)[number];

const isOpenDelivery = sql`delivery.status in (${literals(...openDeliveryStatuses)})`;
const isOpenDeposit = sql`deposit.confirmed_at is null and deposit.failed_at is null`;

/** The next merchants in the order of their ids, `limit` at most. */
export async function listMerchantIds(
  db: Queryable,
  { after, limit }: { after: MerchantId | undefined; limit: number },
): Promise<MerchantId[]> {
  const statement = sql`
    select id from merchants where ${after ?? null}::uuid is null or id > ${after ?? null}::uuid
    order by id limit ${limit}`;
  const rows = await db.query<{ id: MerchantId }>(globally("merchants-to-clear", statement));
  return rows.map(({ id }) => id);
}

/** A month of a table with rows that open deliveries or deposits still need. */
export type HeldMonth = { readonly table: MonthlyTable; readonly month: Date };

/** The months before a time with rows that open deliveries or deposits of these merchants need. */
export async function listHeldMonths(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  before: Date,
): Promise<HeldMonth[]> {
  return db.query<HeldMonth>(sql`
    with held as (
      select 'webhook_event_bodies' as table, event.created_at as at
      from webhook_deliveries delivery
      join webhook_events event on event.merchant_id ${oneOf(merchantIds)}
        and event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
      where delivery.merchant_id ${oneOf(merchantIds)} and ${isOpenDelivery}
      union all
      select 'webhook_attempts', attempt.attempted_at
      from webhook_deliveries delivery
      join webhook_attempts attempt on attempt.merchant_id ${oneOf(merchantIds)}
        and attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
      where delivery.merchant_id ${oneOf(merchantIds)} and ${isOpenDelivery} and attempt.attempted_at < ${before}
      union all
      select 'deposit_events', event.created_at
      from deposits deposit
      join deposit_events event on event.merchant_id ${oneOf(merchantIds)}
        and event.merchant_id = deposit.merchant_id and event.deposit_id = deposit.id
      where deposit.merchant_id ${oneOf(merchantIds)} and ${isOpenDeposit} and event.created_at < ${before})
    select distinct "table", date_trunc('month', at at time zone 'UTC') at time zone 'UTC' as month
    from held where at < ${before}`);
}

type Batch = { readonly before: Date; readonly limit: number };

/** Deletes at most `limit` final deliveries from before a time, with their attempts. Returns their number. */
export async function deleteFinalDeliveries(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { before, limit }: Batch,
): Promise<number> {
  const deleted = await db.query(sql`
    with old as (
      select merchant_id, id from webhook_deliveries delivery
      where merchant_id ${oneOf(merchantIds)} and created_at < ${before}
        and status in (${literals(...finalDeliveryStatuses)})
      limit ${limit} for update skip locked),
    attempts as (
      delete from webhook_attempts attempt using old
      where attempt.merchant_id ${oneOf(merchantIds)}
        and attempt.merchant_id = old.merchant_id and attempt.delivery_id = old.id),
    delivery as (
      delete from webhook_deliveries delivery using old
      where delivery.merchant_id ${oneOf(merchantIds)}
        and delivery.merchant_id = old.merchant_id and delivery.id = old.id
      returning delivery.merchant_id, delivery.status),
    counts as (${counted("webhook_deliveries", sql`select merchant_id, array[status] as facets, -1 as delta from delivery`)})
    select from delivery`);
  return deleted.length;
}

/** Deletes previous secrets of these merchants' endpoints after their overlap. Returns their number. */
export async function forgetPreviousSecrets(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<number> {
  const forgotten = await db.query(sql`
    update webhook_endpoints set previous_secret_ciphertext = null, previous_secret_expires_at = null
    where merchant_id ${oneOf(merchantIds)} and previous_secret_expires_at <= now()
    returning id`);
  return forgotten.length;
}

/**
 * Deletes the counts of attempts of these merchants' endpoints that are too old for their health. Returns their
 * number.
 */
export async function deleteOldCounts(db: Queryable, merchantIds: readonly MerchantId[]): Promise<number> {
  const deleted = await db.query(sql`
    delete from endpoint_attempt_counts
    where merchant_id ${oneOf(merchantIds)} and hour < now() - interval '2 days'
    returning endpoint_id`);
  return deleted.length;
}

/** Deletes at most `limit` bodies from before a time, of events without a delivery. Returns their number. */
export async function deleteUnusedBodies(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { before, limit }: Batch,
): Promise<number> {
  const deleted = await db.query(sql`
    with old as (
      select merchant_id, event_id, created_at from webhook_event_bodies body
      where merchant_id ${oneOf(merchantIds)} and created_at < ${before}
        and not exists (
          select from webhook_deliveries delivery
          where delivery.merchant_id = body.merchant_id and delivery.event_id = body.event_id)
      limit ${limit})
    delete from webhook_event_bodies body using old
    where body.merchant_id ${oneOf(merchantIds)} and body.merchant_id = old.merchant_id
      and body.event_id = old.event_id and body.created_at = old.created_at and body.created_at < ${before}
    returning body.event_id`);
  return deleted.length;
}

/** Deletes at most `limit` rows of the history of final deposits from before a time. Returns their number. */
export async function deleteFinalHistory(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { before, limit }: Batch,
): Promise<number> {
  const deleted = await db.query(sql`
    with old as (
      select merchant_id, deposit_id, id, created_at from deposit_events event
      where merchant_id ${oneOf(merchantIds)} and created_at < ${before}
        and not exists (
          select from deposits deposit
          where deposit.merchant_id = event.merchant_id and deposit.id = event.deposit_id and ${isOpenDeposit})
      limit ${limit})
    delete from deposit_events event using old
    where event.merchant_id ${oneOf(merchantIds)} and event.merchant_id = old.merchant_id
      and event.deposit_id = old.deposit_id and event.id = old.id and event.created_at = old.created_at
      and event.created_at < ${before}
    returning event.id`);
  return deleted.length;
}
