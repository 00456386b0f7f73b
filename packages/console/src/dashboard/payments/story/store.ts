import { unconfirmedDepositStatuses } from "@daric/domain/deposit";
import type { ChargeRef } from "@daric/domain/ids";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { StoryDetail, StoryEntry } from "./schema.ts";

/** A payment can have very many deposits: the story has their newest moments. */
const MAX_ENTRIES = 500;
/** Its newest deposits. Dust is one entry, and at most so many deposits are looked at for the others. */
const MAX_DEPOSITS = 100;
const LOOKED_AT = 1_000;

/**
 * How a charge closed, as its row knows: paid; its time and its late window over, unless it was settled or closed before; or closed without
 * payment. A row that closed so changes no more but by a late payment.
 */
function closings({ merchantId, id }: ChargeRef): Sql {
  const wasOpen = (at: Sql) => sql`coalesce(least(paid_at, accepted_at), 'infinity') > ${at}
    and (status = 'EXPIRED' or (status = 'ARCHIVED' and updated_at >= ${at}))`;
  return sql`
    select closed.at, closed.how from deposit_addresses cross join lateral (values
      (paid_at, 'paid'),
      (case when ${wasOpen(sql`expires_at`)} then expires_at end, 'expired'),
      (case when ${wasOpen(sql`late_until`)} and late_until <= now() then late_until end, 'late_over'),
      (case when status = 'ARCHIVED' and coalesce(paid_at, accepted_at) is null then updated_at end, 'closed')
    ) closed (at, how)
    where merchant_id = ${merchantId} and id = ${id} and closed.at is not null`;
}

/**
 * The history of a charge, the oldest first; `withWebhooks` also its events and the answers to them. The charge's row has its creation and
 * expiry times.
 */
export async function readStory(
  db: Queryable,
  ref: ChargeRef,
  { withWebhooks }: { readonly withWebhooks: boolean },
): Promise<StoryEntry[]> {
  const { merchantId, id } = ref;
  const rows = await db.query<{ at: Date; detail: StoryDetail }>(sql`
    with looked as materialized (
      select id, tx_id, dust is true as dust, created_at, status, block_id from deposits
      where merchant_id = ${merchantId} and deposit_address_id = ${id}
      order by created_at desc, id desc limit ${LOOKED_AT}
    ),
    paid as materialized (
      select id, tx_id, status, block_id from looked
      where not dust order by created_at desc, id desc limit ${MAX_DEPOSITS}
    ),
    announced as materialized (
      select id, type, created_at from webhook_events
      where ${withWebhooks}::boolean and merchant_id = ${merchantId} and resource_id = any(array(select id from paid) || ${id}::uuid
        || array(select refund.id from refunds refund where refund.merchant_id = ${merchantId} and refund.deposit_address_id = ${id}))
      order by created_at desc limit 200
    ),
    entries as (
      select locked_at as at, 'quote' as kind, id, jsonb_build_object('source', source) as detail
      from quotes where merchant_id = ${merchantId} and deposit_address_id = ${id}
      union all
      select event.created_at, 'deposit', paid.id,
        jsonb_build_object('status', event.to_status, 'block_number', event.block_number, 'tx_hash', paid.tx_id)
      from paid join deposit_events event on event.merchant_id = ${merchantId} and event.deposit_id = paid.id
      union all
      select done.since, 'check', paid.id, jsonb_build_object('name', done.name, 'result', done.result)
      from paid join deposit_checks done
        on done.merchant_id = ${merchantId} and done.deposit_id = paid.id and done.block_id = paid.block_id
      where paid.status = any(${unconfirmedDepositStatuses}::text[])
      union all
      select max(created_at), 'dust', ${id}::uuid, jsonb_build_object('count', count(*)) from looked where dust
      having count(*) > 0
      union all
      select at, 'closing', ${id}::uuid, jsonb_build_object('how', how) from (${closings(ref)}) closed
      union all
      select created_at, 'event', id, jsonb_build_object('type', type) from announced
      union all
      select attempt.attempted_at, 'attempt', delivery.id, jsonb_build_object('type', delivery.event_type,
        'status_code', attempt.status_code, 'error', attempt.error, 'endpoint', left(endpoint.url, 300))
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId} and endpoint.id = delivery.endpoint_id
      join webhook_attempts attempt on attempt.merchant_id = ${merchantId} and attempt.delivery_id = delivery.id
      where delivery.merchant_id = ${merchantId} and delivery.event_id = any(array(select id from announced))
    )
    select at, detail || jsonb_build_object('kind', kind, 'id', id) as detail
    from (select * from entries order by at desc limit ${MAX_ENTRIES}) newest order by at, kind, detail ->> 'result'`);
  return rows.map(({ at, detail }) => ({ at, ...detail }));
}
