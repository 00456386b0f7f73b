import type pg from "pg";
import { dropIndexes, recount, withoutChecks } from "./fill.ts";

/** The deliveries that one statement inserts, each with its event. */
const HISTORY_BATCH = 250_000;

/**
 * Adds `count` finished deliveries of an endpoint over the last year, one in fifty EXHAUSTED. Their events have no
 * bodies. The database must have no other delivery. `onProgress` gets the number so far.
 */
export async function fillHistory(
  db: pg.Client,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  { count, onProgress }: { readonly count: number; readonly onProgress: (done: number) => void },
): Promise<void> {
  await withoutChecks(db);
  const indexes = [
    ...(await dropIndexes(db, "webhook_deliveries")),
    ...(await dropIndexes(db, "webhook_events")),
  ];
  for (let done = 0; done < count; done += HISTORY_BATCH) {
    await db.query(
      `with event as (
         insert into webhook_events (id, merchant_id, type, resource_id, sequence, mac, position, created_at)
         select gen_random_uuid(), $1, 'deposit.confirmed', gen_random_uuid(), 1, sha256('history'), n,
           now() - (($5::integer - n) * (interval '1 year' / $5::integer))
         from generate_series($3::integer + 1, $4::integer) n
         returning *)
       insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id, status, attempt_count,
         last_status_code, created_at, updated_at)
       select uuidv7(created_at - now()), merchant_id, id, $2, type, resource_id,
         case when position % 50 = 0 then 'EXHAUSTED' else 'DELIVERED' end, 1, 200, created_at, created_at
       from event`,
      [merchantId, id, done, Math.min(count, done + HISTORY_BATCH), count],
    );
    onProgress(Math.min(count, done + HISTORY_BATCH));
  }
  for (const index of indexes) await db.query(index);
  await db.query("insert into event_positions (merchant_id, last_position) values ($1, $2)", [
    merchantId,
    count,
  ]);
  await recount(db, "webhook_deliveries", "array[status]");
  await db.query("vacuum analyze webhook_deliveries, webhook_events");
}

/** Returns some resources of a history, and an event in its middle. */
export async function pickHistory(
  db: pg.Client,
  merchantId: string,
  count: number,
): Promise<{ resourceIds: string[]; middleId: string }> {
  const { rows } = await db.query(
    `select id, resource_id from webhook_events
     where merchant_id = $1 and position = any(array(select 1 + (i * $2::bigint / 200) from generate_series(0, 199) i))
     order by position`,
    [merchantId, count],
  );
  return {
    resourceIds: rows.map(({ resource_id: id }) => id),
    middleId: rows[Math.floor(rows.length / 2)]?.id,
  };
}
