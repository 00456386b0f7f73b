import { maybeOne, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";

type EndpointRef = { readonly merchantId: MerchantId; readonly id: EndpointId };

/** Durations of a class are at most this factor above the least one. */
const CLASSES_PER_DOUBLING = 4;

/**
 * Part of a statement that records attempts: two CTEs. `attempts` is a query of (merchant_id, endpoint_id, is_accepted,
 * duration_ms, attempted_at), without tests and without attempts that never reached the receiver.
 */
export function tallied(attempts: Sql): Sql {
  return sql`
    attempts_by_hour as (
      insert into endpoint_attempt_counts as counts (merchant_id, endpoint_id, hour, duration_class, attempts, accepted)
      select merchant_id, endpoint_id, date_trunc('hour', attempted_at, 'UTC'),
        ceil(${CLASSES_PER_DOUBLING}::integer * ln(greatest(duration_ms, 1)::float8) / ln(2::float8))::smallint,
        count(*), count(*) filter (where is_accepted)
      from (${attempts}) attempt group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (merchant_id, endpoint_id, hour, duration_class) do update
        set attempts = counts.attempts + excluded.attempts, accepted = counts.accepted + excluded.accepted),
    health as (
      insert into endpoint_health as health (merchant_id, endpoint_id, last_success_at, failing_since)
      select merchant_id, endpoint_id, max(attempted_at) filter (where is_accepted),
        case when not bool_or(is_accepted) then min(attempted_at) end
      from (${attempts}) attempt group by 1, 2 order by 1, 2
      on conflict (merchant_id, endpoint_id) do update set
        last_success_at = greatest(health.last_success_at, excluded.last_success_at),
        failing_since = case when excluded.last_success_at is null
          then coalesce(health.failing_since, excluded.failing_since) end
      where (health.failing_since is null) <> (excluded.failing_since is null) or health.last_success_at is null
        or health.last_success_at < excluded.last_success_at - interval '1 second')`;
}

/** The state of an endpoint's receiver; the times are null if there was none. */
export type ReceiverState = {
  readonly lastSuccessAt: Date | null;
  /** the first failure after the last success */
  readonly failingSince: Date | null;
  /** since when the delivery is due that waits longest */
  readonly oldestDueAt: Date | null;
};

export async function findReceiverState(
  db: Queryable,
  { merchantId, id }: EndpointRef,
): Promise<ReceiverState> {
  const state = maybeOne(
    await db.query<ReceiverState>(sql`
      select health.last_success_at as "lastSuccessAt", health.failing_since as "failingSince",
        due.next_attempt_at as "oldestDueAt"
      from (select 1) one
      left join endpoint_health health on health.merchant_id = ${merchantId} and health.endpoint_id = ${id}
      left join lateral (
        select next_attempt_at from webhook_deliveries
        where merchant_id = ${merchantId} and endpoint_id = ${id} and status in ('PENDING', 'FAILED')
          and next_attempt_at <= now()
        order by next_attempt_at limit 1) due on true`),
  );
  return state ?? { lastSuccessAt: null, failingSince: null, oldestDueAt: null };
}

/** Attempts of the last 24 hours whose duration is in one class. */
export type AttemptCount = {
  /** the longest duration of the class, in milliseconds */
  readonly longestMs: number;
  readonly attempts: number;
  readonly accepted: number;
};

/** Returns the counts of the last 24 hours, to the hour, the shortest durations first. */
export async function listAttemptCounts(
  db: Queryable,
  { merchantId, id }: EndpointRef,
): Promise<AttemptCount[]> {
  return db.query<AttemptCount>(sql`
    select power(2, duration_class / ${CLASSES_PER_DOUBLING}::float8) as "longestMs",
      sum(attempts)::integer as attempts, sum(accepted)::integer as accepted
    from endpoint_attempt_counts
    where merchant_id = ${merchantId} and endpoint_id = ${id} and hour > now() - interval '24 hours'
    group by duration_class order by duration_class`);
}
