import type pg from "pg";
import { recount, withoutChecks } from "./fill.ts";
import { macInSql } from "./mac-in-sql.ts";

/** Adds `count` deliveries, each with its event, for a disabled endpoint. */
export async function fillBacklog(
  db: pg.Client,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  count: number,
): Promise<void> {
  await db.query(
    `with event as (
       insert into webhook_events (id, merchant_id, type, resource_id, sequence, mac)
       select id, $1, 'deposit.confirmed', gen_random_uuid(), 1, ${macInSql("event", ["$1::uuid", "id", "'{}'"])}
       from (select gen_random_uuid() as id from generate_series(1, $3::integer) offset 0) made
       returning *),
     bodies as (
       insert into webhook_event_bodies (merchant_id, event_id, body) select merchant_id, id, '{}' from event),
     delivery as (
       insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id, next_attempt_at)
       select uuidv7(), merchant_id, id, $2, type, resource_id, now() from event)
     update endpoint_queue set due_at = least(due_at, now()) where merchant_id = $1 and endpoint_id = $2`,
    [merchantId, id, count],
  );
  // Only this merchant's rows: the running service counts those of the others.
  await db.query(
    `insert into list_counts (merchant_id, list, facets, slot, rows) values ($1, 'webhook_deliveries', array['PENDING'], 0, $2)
     on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`,
    [merchantId, count],
  );
  await db.query("vacuum analyze webhook_deliveries");
}

/** Makes a merchant's waiting deliveries look delivered more than a year ago, with their events and bodies. */
export async function finishBacklog(db: pg.Client, merchantId: string): Promise<void> {
  await withoutChecks(db);
  const ago = "now() - interval '500 days'";
  for (const table of ["webhook_events", "webhook_event_bodies"])
    await db.query(`update ${table} set created_at = ${ago} where merchant_id = $1`, [merchantId]);
  await db.query(
    `update webhook_deliveries set status = 'DELIVERED', next_attempt_at = null, created_at = ${ago} where merchant_id = $1`,
    [merchantId],
  );
  await recount(db, "webhook_deliveries", "array[status]");
  await db.query("vacuum analyze");
}

/**
 * Adds `each` due deliveries of this body for each endpoint, hidden from the workers until {@link
 * releaseDeliveries}.
 */
export async function fillDeliveries(
  db: pg.Client,
  {
    endpoints,
    each,
    body,
  }: {
    readonly endpoints: readonly { readonly merchantId: string; readonly id: string }[];
    readonly each: number;
    readonly body: string;
  },
): Promise<void> {
  await db.query(
    `with made as (
       select e.merchant_id, e.endpoint_id, gen_random_uuid() as id, gen_random_uuid() as resource_id
       from unnest($1::uuid[], $2::uuid[]) e (merchant_id, endpoint_id)
       cross join generate_series(1, $3::integer) offset 0),
     event as (
       insert into webhook_events (id, merchant_id, type, resource_id, sequence, mac)
       select id, merchant_id, 'deposit.confirmed', resource_id, 1, ${macInSql("event", ["merchant_id", "id", "$4::text"])}
       from made),
     bodies as (
       insert into webhook_event_bodies (merchant_id, event_id, body)
       select merchant_id, id, convert_to($4::text, 'utf8') from made),
     delivery as (
       insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id, next_attempt_at)
       select uuidv7(), merchant_id, id, endpoint_id, 'deposit.confirmed', resource_id, now() from made)
     insert into list_counts (merchant_id, list, facets, slot, rows)
     select merchant_id, 'webhook_deliveries', array['PENDING'], 0, count(*) from made group by 1
     on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`,
    [endpoints.map(({ merchantId }) => merchantId), endpoints.map(({ id }) => id), each, body],
  );
}

/** Makes the deliveries of these endpoints visible to the workers. */
export async function releaseDeliveries(
  db: pg.Client,
  endpoints: readonly { readonly merchantId: string; readonly id: string }[],
): Promise<void> {
  await db.query("update endpoint_queue set due_at = now() where endpoint_id = any($1)", [
    endpoints.map(({ id }) => id),
  ]);
}

/** Disables these endpoints, as their merchant would. */
export async function disableEndpoints(
  db: pg.Client,
  endpoints: readonly { readonly id: string }[],
): Promise<void> {
  await db.query("update webhook_endpoints set is_active = false where id = any($1)", [
    endpoints.map(({ id }) => id),
  ]);
}
