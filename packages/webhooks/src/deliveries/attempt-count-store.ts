import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { type WebhookError, webhookErrorsOfOurs } from "@daric/domain/webhook-delivery";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";

type EndpointRef = { readonly merchantId: MerchantId; readonly id: EndpointId };

/** Durations of a class are at most this factor above the least one. */
const CLASSES_PER_DOUBLING = 4;

const ours: readonly WebhookError[] = webhookErrorsOfOurs;

/**
 * Counts these recorded attempts by hour and duration. Tests do not count, nor do faults of ours and answers that asked
 * for a pause.
 */
export const countedAttempts = (rows: Sql): Sql => sql`
  insert into endpoint_attempt_counts as counts (merchant_id, endpoint_id, hour, duration_class, attempts, accepted)
  select merchant_id, endpoint_id, date_trunc('hour', attempted_at, 'UTC'),
    ceil(${CLASSES_PER_DOUBLING}::integer * ln(greatest(duration_ms, 1)::float8) / ln(2::float8))::smallint,
    count(*), count(*) filter (where error is null)
  from ${rows}
  where event_type <> 'webhook.test' and not is_uncounted and (error is null or error <> all (${ours}::text[]))
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (merchant_id, endpoint_id, hour, duration_class) do update
    set attempts = counts.attempts + excluded.attempts, accepted = counts.accepted + excluded.accepted`;

/** The state of an endpoint's receiver; the times are null if there was none. */
export type ReceiverState = {
  readonly lastSuccessAt: Date | null;
  /** the first failure after the last success */
  readonly failingSince: Date | null;
  /** failures since the last success */
  readonly failedAttempts: number;
  /** it gets one attempt a minute, until one succeeds */
  readonly isSuspended: boolean;
  /** since when the delivery is due that waits longest */
  readonly oldestDueAt: Date | null;
};

export async function findReceiverState(
  db: Queryable,
  { merchantId, id }: EndpointRef,
): Promise<ReceiverState> {
  return one(
    await db.query<ReceiverState>(sql`
      select health.last_success_at as "lastSuccessAt", health.failing_since as "failingSince",
        coalesce(health.failed_attempts, 0) as "failedAttempts", health.probe_at is not null as "isSuspended",
        due.next_attempt_at as "oldestDueAt"
      from (select 1) one
      left join endpoint_health health on health.merchant_id = ${merchantId} and health.endpoint_id = ${id}
      left join lateral (
        select next_attempt_at from webhook_deliveries
        where merchant_id = ${merchantId} and endpoint_id = ${id} and status in ('PENDING', 'FAILED')
          and next_attempt_at <= now()
        order by next_attempt_at limit 1) due on true`),
  );
}

/** Attempts of the last 24 hours whose duration is in one class. */
export type AttemptCount = {
  /** the longest duration of the class, in milliseconds */
  readonly longestMs: number;
  readonly attempts: number;
  readonly accepted: number;
};

/** Returns the counts of the last 24 hours, to the hour, the shortest durations first. */
export async function readAttemptCounts(
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
