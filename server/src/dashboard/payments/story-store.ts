import { type Queryable, sql } from "@daric/postgres/sql";
import type { ChargeRef } from "../../domain/ids.ts";

/** A moment in the life of a payment: what happened, to which row, and how it looked then. */
export type StoryEntry = {
  readonly at: Date;
  readonly kind: "quote" | "deposit" | "event" | "attempt";
  /** a quote, a deposit, an event or a delivery */
  readonly id: string;
  /** the rate's source, the deposit's new status, or the type of the event, also of an attempt */
  readonly what: string;
  readonly blockNumber: bigint | null;
  readonly txHash: string | null;
  /** of an answer to a webhook */
  readonly statusCode: number | null;
  readonly error: string | null;
  /** the URL of an attempt's endpoint, as it is now */
  readonly endpoint: string | null;
};

/** A payment can have very many deposits: the story has their newest moments. */
export const MOST_ENTRIES = 500;

/** What happened to a charge, the oldest first. Its own row tells when it was made and how it ended. */
export async function readStory(db: Queryable, { merchantId, id }: ChargeRef): Promise<StoryEntry[]> {
  return db.query<StoryEntry>(sql`
    with paid as materialized (
      select id, tx_id from deposits where merchant_id = ${merchantId} and deposit_address_id = ${id}
      order by created_at desc, id desc limit 100
    ),
    announced as materialized (
      select id, type, created_at from webhook_events
      where merchant_id = ${merchantId} and resource_id = any(array(select id from paid) || ${id}::uuid)
      order by created_at desc limit 200
    ),
    entries as (
      select locked_at as at, 'quote' as kind, id, source as what, null::bigint as "blockNumber",
        null::text as "txHash", null::integer as "statusCode", null::text as error, null::text as endpoint
      from quotes where merchant_id = ${merchantId} and deposit_address_id = ${id}
      union all
      select event.created_at, 'deposit', paid.id, event.to_status, event.block_number, paid.tx_id, null, null, null
      from paid join deposit_events event on event.merchant_id = ${merchantId} and event.deposit_id = paid.id
      union all
      select created_at, 'event', id, type, null, null, null, null, null from announced
      union all
      select attempt.attempted_at, 'attempt', delivery.id, delivery.event_type, null, null, attempt.status_code, attempt.error,
        endpoint.url
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId} and endpoint.id = delivery.endpoint_id
      join webhook_attempts attempt on attempt.merchant_id = ${merchantId} and attempt.delivery_id = delivery.id
      where delivery.merchant_id = ${merchantId} and delivery.event_id = any(array(select id from announced))
    )
    select * from (select * from entries order by at desc limit ${MOST_ENTRIES}) newest order by at, kind`);
}
