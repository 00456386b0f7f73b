import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { type WebhookError, webhookErrorsOfOurs } from "@daric/domain/webhook-delivery";
import { oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { insertedChange } from "./queue-store.ts";

/** An endpoint is suspended after so many failed attempts in a row. */
export const SUSPENDED_AFTER = 5;
/** An endpoint is disabled after so long and so many failed attempts in a row. */
const HOPELESS_AFTER = { time: sql`interval '5 days'`, attempts: sql`10` };
/** An endpoint is disabled if for so long every attempt was answered with 410 Gone. */
const GONE_AFTER = sql`interval '24 hours'`;
/** Members of a merchant get a message about an endpoint that has failed for so long. */
const TOLD_AFTER = sql`interval '15 minutes'`;
/** For so long after the first pause since a success, answers that ask for a pause do not count. */
export const MAY_PAUSE_FOR = sql`interval '24 hours'`;
/** A success is recorded so often at most, while nothing fails. */
const NOTED_EVERY = sql`interval '1 minute'`;
/** Between two attempts at a suspended endpoint. */
export const PROBE_EVERY = sql`interval '1 minute'`;

const ours: readonly WebhookError[] = webhookErrorsOfOurs;

/**
 * Parts of a statement with a CTE `delivery` of recorded attempts: they note the health of the endpoints of these
 * merchants. Tests do not count, nor do faults of ours. A success clears all failures of its batch. `health` has the
 * endpoints of which something changed.
 */
export function knownHealth(merchantIds: readonly MerchantId[]): Sql {
  return sql`
    outcome as (${outcomesOf(sql`delivery`)}),
    health as (${recordedHealth(merchantIds, sql`outcome`)})`;
}

/** The outcome of these recorded attempts for each endpoint. */
function outcomesOf(rows: Sql): Sql {
  return sql`
      select merchant_id, endpoint_id, bool_or(error is null) as is_success,
        (count(error) filter (where not is_uncounted))::integer as failed,
        min(attempted_at) filter (where not is_uncounted) as since, max(paused_until) as paused_until,
        min(attempted_at) filter (where paused_until is not null) as paused_since,
        case when bool_and(status_code is not distinct from 410) then min(attempted_at) end as gone_since
      from ${rows}
      where event_type <> 'webhook.test' and (error is null or error <> all (${ours}::text[]))
      group by merchant_id, endpoint_id`;
}

/** A statement that notes the health of the endpoints of these attempts, and returns what {@link knownHealth} has. */
export function healthAfter(merchantIds: readonly MerchantId[], rows: Sql): Sql {
  return recordedHealth(merchantIds, sql`(${outcomesOf(rows)}) outcome`);
}

function recordedHealth(merchantIds: readonly MerchantId[], outcomes: Sql): Sql {
  return sql`
      insert into endpoint_health as known (merchant_id, endpoint_id, last_success_at, failing_since, failed_attempts,
        probe_at, paused_until, paused_since, gone_since)
      select outcome.merchant_id, outcome.endpoint_id, case when is_success then now() end,
        case when not is_success then since end, case when is_success then 0 else failed end,
        case when not is_success and failed > 0 and failed + coalesce(before.failed_attempts, 0) >= ${SUSPENDED_AFTER}::integer
          then now() + ${PROBE_EVERY} end, outcome.paused_until, outcome.paused_since, outcome.gone_since
      from ${outcomes} left join endpoint_health before on before.merchant_id ${oneOf(merchantIds)}
        and before.merchant_id = outcome.merchant_id and before.endpoint_id = outcome.endpoint_id
      where not is_success or before.last_success_at is null or before.failing_since is not null
        or before.paused_since is not null or outcome.paused_since is not null or before.last_success_at < now() - ${NOTED_EVERY}
      order by outcome.merchant_id, outcome.endpoint_id
      on conflict (merchant_id, endpoint_id) do update set
        last_success_at = coalesce(excluded.last_success_at, known.last_success_at),
        failing_since = case when excluded.last_success_at is null
          then coalesce(known.failing_since, excluded.failing_since) end,
        failed_attempts = case when excluded.last_success_at is null
          then known.failed_attempts + excluded.failed_attempts else 0 end,
        probe_at = case when excluded.last_success_at is null then coalesce(excluded.probe_at, known.probe_at) end,
        paused_until = greatest(excluded.paused_until, known.paused_until),
        paused_since = case when excluded.last_success_at is null
          then coalesce(known.paused_since, excluded.paused_since) else excluded.paused_since end,
        gone_since = case when excluded.gone_since is not null
          then coalesce(known.gone_since, excluded.gone_since) end
      returning merchant_id, endpoint_id, (probe_at is not null or paused_until > now()) is true as must_wait,
        (failed_attempts >= ${HOPELESS_AFTER.attempts}
          and failing_since < now() - ${HOPELESS_AFTER.time}
          or gone_since < now() - ${GONE_AFTER}) is true as is_hopeless`;
}

/** Part of a statement: the health of these endpoints is forgotten, so that their next delivery is not held back. */
export function forgottenHealth(endpoints: Sql, merchantId: MerchantId): Sql {
  return sql`
    update endpoint_health health set failing_since = null, failed_attempts = 0, probe_at = null, paused_until = null,
      paused_since = null, gone_since = null
    from (${endpoints}) endpoint (merchant_id, endpoint_id)
    where health.merchant_id = ${merchantId} and health.merchant_id = endpoint.merchant_id
      and health.endpoint_id = endpoint.endpoint_id`;
}

/** Since when every attempt at an endpoint has failed; undefined if that is not long enough to tell its merchant. */
export async function findFailingSince(
  db: Queryable,
  { merchantId, endpointId }: { merchantId: MerchantId; endpointId: EndpointId },
): Promise<Date | undefined> {
  const [row] = await db.query<{ failingSince: Date }>(sql`
    select failing_since as "failingSince" from endpoint_health
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and failing_since < now() - ${TOLD_AFTER}`);
  return row?.failingSince;
}

/** Disables an endpoint; false if it was disabled or deleted before. */
export async function disableHopeless(
  db: Queryable,
  { merchantId, endpointId }: { merchantId: MerchantId; endpointId: EndpointId },
): Promise<boolean> {
  const disabled = await db.query(sql`
    with endpoint as (
      update webhook_endpoints set is_active = false, updated_at = now()
      where merchant_id = ${merchantId} and id = ${endpointId} and is_active and deleted_at is null
      returning merchant_id, id),
    changes as (${insertedChange(sql`select merchant_id, id from endpoint`)})
    select from endpoint`);
  return disabled.length === 1;
}
