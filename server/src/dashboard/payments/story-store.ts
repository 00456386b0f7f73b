import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { ChargeRef } from "../../domain/ids.ts";

export const storyKinds = ["quote", "deposit", "event", "attempt", "closing", "dust"] as const;

/** A moment in the life of a payment: what happened, to which row, and how it looked then. */
export type StoryEntry = {
  readonly at: Date;
  readonly kind: (typeof storyKinds)[number];
  /** a quote, a deposit, an event, a delivery or the payment itself */
  readonly id: string;
  /** the rate's source, the deposit's new status, the event's type, how the payment closed, or the number of dust transfers */
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
/** Its newest deposits. Dust is one entry, and at most so many deposits are looked at for the others. */
export const MOST_DEPOSITS = 100;
const LOOKED_AT = 1_000;

/**
 * How a charge closed, as its row knows: paid; its time and its late window over, unless it was settled or closed before; or closed without
 * payment. A row that closed so changes no more but by a late payment.
 */
function closings({ merchantId, id }: ChargeRef): Sql {
  const wasOpen = (at: Sql) => sql`coalesce(least(paid_at, accepted_at), 'infinity') > ${at}
    and (status = 'EXPIRED' or (status = 'ARCHIVED' and updated_at >= ${at}))`;
  return sql`
    select closed.at, closed.what from deposit_addresses cross join lateral (values
      (paid_at, 'paid'),
      (case when ${wasOpen(sql`expires_at`)} then expires_at end, 'expired'),
      (case when ${wasOpen(sql`late_until`)} and late_until <= now() then late_until end, 'late_over'),
      (case when status = 'ARCHIVED' and coalesce(paid_at, accepted_at) is null then updated_at end, 'closed')
    ) closed (at, what)
    where merchant_id = ${merchantId} and id = ${id} and closed.at is not null`;
}

/** The history of a charge, the oldest first. The charge's row has its creation and expiry times. */
export async function readStory(db: Queryable, ref: ChargeRef): Promise<StoryEntry[]> {
  const { merchantId, id } = ref;
  return db.query<StoryEntry>(sql`
    with looked as materialized (
      select id, tx_id, dust is true as dust, created_at from deposits
      where merchant_id = ${merchantId} and deposit_address_id = ${id}
      order by created_at desc, id desc limit ${LOOKED_AT}
    ),
    paid as materialized (
      select id, tx_id from looked where not dust order by created_at desc, id desc limit ${MOST_DEPOSITS}
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
      select max(created_at), 'dust', ${id}::uuid, count(*)::text, null, null, null, null, null from looked where dust
      having count(*) > 0
      union all
      select at, 'closing', ${id}::uuid, what, null, null, null, null, null from (${closings(ref)}) closed
      union all
      select created_at, 'event', id, type, null, null, null, null, null from announced
      union all
      select attempt.attempted_at, 'attempt', delivery.id, delivery.event_type, null, null, attempt.status_code, attempt.error,
        left(endpoint.url, 300)
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId} and endpoint.id = delivery.endpoint_id
      join webhook_attempts attempt on attempt.merchant_id = ${merchantId} and attempt.delivery_id = delivery.id
      where delivery.merchant_id = ${merchantId} and delivery.event_id = any(array(select id from announced))
    )
    select * from (select * from entries order by at desc limit ${MOST_ENTRIES}) newest order by at, kind`);
}
