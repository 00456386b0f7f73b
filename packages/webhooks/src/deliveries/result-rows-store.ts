import type { DeliveryId, EndpointId, MerchantId } from "@daric/domain/ids";
import { deliveryMachine, type Verdict, type WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import { arrayText, bytesArray, uuidArray } from "@daric/postgres/arrays";
import { empty, joinedOf, literals, type Sql, sql } from "@daric/postgres/sql";
import { rescheduledSooner } from "../queue/queue-store.ts";
import type { PostResult } from "../sending/post-json.ts";
import type { DeliveryClaim } from "./delivery-store.ts";

/** An attempt with what it sent; nothing where it ended before. */
export type Attempt = Omit<PostResult, "cause"> & { readonly url?: string; readonly signatures?: Buffer };

export type AttemptResult = {
  readonly claim: DeliveryClaim;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
};

/** A recorded attempt, with the new state of its delivery. */
export type Recorded = { readonly deliveryId: DeliveryId; readonly status: WebhookDeliveryStatus };

/** An endpoint that must wait or is hopeless after the attempts just recorded. */
export type FailingEndpoint = {
  readonly merchantId: MerchantId;
  readonly endpointId: EndpointId;
  /** it asked for a pause, or it is suspended: it gets one attempt a minute until one succeeds */
  readonly mustWait: boolean;
  /** nothing reached it, or it answered 410, for so long that it is to be disabled */
  readonly isHopeless: boolean;
};

/** The CTEs that give deliveries their new states: `delivery` has those whose lease is ours, with their attempts. */
export function changedBy(results: readonly AttemptResult[]): Sql {
  const merchantIds = results.map(({ claim }) => claim.merchantId);
  const from = new Set(results.flatMap(({ verdict }) => deliveryMachine.edge(verdict.event).from));
  const [rejected, spent] = [deliveryMachine.edge("rejected").to, deliveryMachine.edge("spent").to];
  const isPastEnd = sql`result.status = ${rejected} and delivery.expires_at < result.next_at`;
  return sql`
    result as (${resultRows(results)}),
    delivery as (
      update webhook_deliveries delivery set
        status = case when ${isPastEnd} then ${spent} else result.status end, lease_until = null, updated_at = now(),
        next_attempt_at = case when ${isPastEnd} then null else result.next_at end,
        pauses = delivery.pauses + result.is_uncounted::integer, last_status_code = result.status_code,
        last_error = result.error
      from result
      where ${joinedOf(sql`delivery.merchant_id`, merchantIds)} and ${isOurs([...from])}
      returning delivery.merchant_id, delivery.id, delivery.endpoint_id, delivery.event_type, delivery.was_resent,
        delivery.status, delivery.attempt_count, delivery.next_attempt_at, result.status_code, result.snippet,
        result.error, result.is_uncounted, result.paused_until, result.duration_ms, result.attempted_at, result.url, result.signatures, result.response_headers)`;
}

/** The CTEs that make the endpoints of these results due at the next attempts; none where there are none. */
export function heldAfter(results: readonly AttemptResult[]): Sql {
  if (results.every(({ verdict }) => verdict.delayMs === null)) return empty;
  return sql`, ${heldForNext(results.map(({ claim }) => claim.merchantId))}`;
}

/** Adds these recorded attempts to the log. */
export function insertedAttempts(rows: Sql): Sql {
  return sql`
      insert into webhook_attempts (merchant_id, delivery_id, number, trigger, status_code, response_snippet, error,
        duration_ms, attempted_at, url, signatures, response_headers)
      select merchant_id, id, attempt_count,
        case when event_type = 'webhook.test' then 'test' when was_resent then 'resend' else 'schedule' end,
        status_code, snippet, error, duration_ms, attempted_at, url, signatures, response_headers
      from ${rows}`;
}

function resultRows(results: readonly AttemptResult[]): Sql {
  const claims = results.map(({ claim }) => claim);
  const attempts = results.map(({ attempt }) => attempt);
  return sql`
    select result.*, now() + delay_ms * interval '1 millisecond' as next_at,
      now() + pause_ms * interval '1 millisecond' as paused_until,
      timestamptz 'epoch' + attempted_ms * interval '1 millisecond' as attempted_at from unnest(
      ${uuidArray(claims.map(({ merchantId }) => merchantId))}::uuid[],
      ${uuidArray(claims.map(({ deliveryId }) => deliveryId))}::uuid[],
      ${arrayText(claims.map(({ leaseNumber }) => String(leaseNumber)))}::bigint[],
      ${arrayText(results.map(({ verdict }) => deliveryMachine.edge(verdict.event).to))}::text[],
      ${arrayText(results.map(({ verdict }) => verdict.delayMs))}::double precision[],
      ${arrayText(attempts.map(({ pauseMs = null }) => pauseMs))}::double precision[],
      ${arrayText(results.map(({ verdict }) => String(verdict.isUncounted ?? false)))}::boolean[],
      ${arrayText(attempts.map(({ statusCode }) => statusCode))}::integer[],
      ${attempts.map(({ snippet }) => snippet)}::text[],
      ${arrayText(attempts.map(({ error }) => error))}::text[],
      ${arrayText(attempts.map(({ durationMs }) => durationMs))}::integer[],
      ${arrayText(attempts.map(({ attemptedAt }) => attemptedAt.getTime()))}::bigint[],
      ${attempts.map(({ url = null }) => url)}::text[],
      ${bytesArray(attempts.map(({ signatures = null }) => signatures))}::bytea[],
      ${attempts.map(({ answerHeaders = null }) => answerHeaders)}::text[])
      as result (merchant_id, delivery_id, lease_number, status, delay_ms, pause_ms, is_uncounted, status_code, snippet, error, duration_ms,
        attempted_ms, url, signatures, response_headers)`;
}

/**
 * The condition for the row of a claim. The `case` avoids the partial index of claimed deliveries, which the
 * planner may choose by stale statistics.
 */
export function isOurs(from: readonly string[]): Sql {
  return sql`delivery.merchant_id = result.merchant_id and delivery.id = result.delivery_id
    and case when delivery.status in (${literals(...from)}) then delivery.lease_number end = result.lease_number`;
}

/** The CTEs that make the endpoints of the CTE `delivery` due at its next attempts. */
export function heldForNext(merchantIds: readonly MerchantId[]): Sql {
  return rescheduledSooner(
    merchantIds,
    sql`select merchant_id, endpoint_id, next_attempt_at as due_at from delivery where next_attempt_at is not null`,
  );
}
