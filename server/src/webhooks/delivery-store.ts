import { maybeOne, type Queryable, type Sql, sql, type Transaction } from "../db/sql.ts";
import type { Verdict, WebhookDeliveryStatus, WebhookError } from "../domain/webhook-delivery.ts";
import type { WebhookEventType } from "../domain/webhook-event.ts";
import type { PostResult } from "./post-json.ts";

/**
 * The right to make the `attempt`-th attempt of a delivery until its lease ends. `leaseNumber` is the fencing token:
 * nothing is recorded under it once another claim has been made.
 */
export type Claim = {
  readonly deliveryId: string;
  readonly leaseNumber: bigint;
  readonly attempt: number;
  readonly endpointId: string;
  readonly eventType: WebhookEventType;
};

/** A claim with all that is needed to make the attempt. */
export type ClaimedDelivery = Claim & {
  readonly statusBefore: WebhookDeliveryStatus;
  readonly merchantId: string;
  readonly url: string;
  readonly sealedSecret: Buffer;
  readonly eventId: string;
  readonly body: Buffer;
};

/** Every due status; written out, because it must match the predicate of the index word by word. */
const isWaiting = sql`status in ('PENDING', 'FAILED')`;

/** Walks the index from endpoint to endpoint: one probe for each that has work, whatever its backlog. */
const endpointsWithWork = sql`
  with recursive with_work (endpoint_id, due_at) as (
    (select endpoint_id, next_attempt_at from webhook_deliveries where ${isWaiting}
     order by endpoint_id, next_attempt_at limit 1)
    union all
    select following.endpoint_id, following.next_attempt_at
    from with_work cross join lateral (
      select endpoint_id, next_attempt_at from webhook_deliveries
      where ${isWaiting} and endpoint_id > with_work.endpoint_id
      order by endpoint_id, next_attempt_at limit 1) following)`;

/**
 * Takes at most `limit` due deliveries of active endpoints, each endpoint its oldest first and all endpoints in
 * turn. An endpoint with `perEndpoint` attempts under way in any process gets none; two processes that claim in the
 * same instant can exceed that once. Rows that another claim is taking are passed over.
 */
export async function claimDueDeliveries(
  db: Queryable,
  options: { limit: number; perEndpoint: number; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  return await db.query<ClaimedDelivery>(sql`
    ${endpointsWithWork},
    candidate as (
      select due.id, due.next_attempt_at, due.place
      from with_work
      join webhook_endpoints endpoint
        on endpoint.id = with_work.endpoint_id and endpoint.is_active and endpoint.deleted_at is null
      cross join lateral (
        select count(*) as attempts from webhook_deliveries under_way
        where under_way.endpoint_id = endpoint.id and under_way.status = 'SENDING') sending
      cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place
        from webhook_deliveries
        where ${isWaiting} and endpoint_id = endpoint.id and next_attempt_at <= now()
        order by next_attempt_at limit ${options.perEndpoint}) due
      where with_work.due_at <= now() and due.place <= ${options.perEndpoint} - sending.attempts
      order by due.place, due.next_attempt_at
      limit ${options.limit}),
    taken as (
      select id, status from webhook_deliveries
      where id in (select id from candidate) and ${isWaiting} and next_attempt_at <= now()
      for update skip locked)
    update webhook_deliveries delivery set
      status = 'SENDING', next_attempt_at = null, lease_until = now() + ${milliseconds(options.leaseMs)},
      lease_number = delivery.lease_number + 1, attempt_count = delivery.attempt_count + 1, updated_at = now()
    from taken, webhook_endpoints endpoint, webhook_events event
    where delivery.id = taken.id and endpoint.id = delivery.endpoint_id and event.id = delivery.event_id
    returning delivery.id as "deliveryId", delivery.lease_number as "leaseNumber",
      delivery.attempt_count as attempt, delivery.endpoint_id as "endpointId",
      delivery.event_type as "eventType", taken.status as "statusBefore", delivery.merchant_id as "merchantId",
      endpoint.url, endpoint.secret_ciphertext as "sealedSecret", event.id as "eventId", event.body`);
}

/**
 * Makes a delivery that is under way from the start, of an event that only its sender delivers. Undefined when the
 * merchant has no such endpoint.
 */
export async function insertClaimedDelivery(
  tx: Transaction,
  delivery: { id: string; eventId: string; endpointId: string; merchantId: string; leaseMs: number },
): Promise<ClaimedDelivery | undefined> {
  return maybeOne(
    await tx.query<ClaimedDelivery>(sql`
      with endpoint as (
        select id, url, secret_ciphertext from webhook_endpoints
        where id = ${delivery.endpointId} and merchant_id = ${delivery.merchantId} and deleted_at is null
        for share),
      inserted as (
        insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id,
          status, attempt_count, lease_number, lease_until)
        select ${delivery.id}, event.merchant_id, event.id, endpoint.id, event.type, event.resource_id,
          'SENDING', 1, 1, now() + ${milliseconds(delivery.leaseMs)}
        from webhook_events event cross join endpoint where event.id = ${delivery.eventId}
        returning *)
      select inserted.id as "deliveryId", lease_number as "leaseNumber", attempt_count as attempt,
        endpoint_id as "endpointId", event_type as "eventType", 'PENDING' as "statusBefore",
        inserted.merchant_id as "merchantId", endpoint.url, endpoint.secret_ciphertext as "sealedSecret",
        event.id as "eventId", event.body
      from inserted cross join endpoint join webhook_events event on event.id = inserted.event_id`),
  );
}

/** An attempt as the log shows it. */
export type Attempt = Omit<PostResult, "cause">;

/**
 * Writes the attempt and where the delivery stands after it, both or neither, and only while the lease is ours.
 * `lastError` is what the delivery says; the attempt keeps its own. False when the lease was lost: nothing is written.
 */
export async function saveAttempt(
  db: Queryable,
  claim: Claim,
  result: { attempt: Attempt; verdict: Verdict; lastError: WebhookError | null },
): Promise<boolean> {
  const { attempt, verdict, lastError } = result;
  const saved = await db.query(sql`
    with delivery as (
      update webhook_deliveries set
        status = ${verdict.status}, lease_until = null, updated_at = now(),
        next_attempt_at = now() + ${milliseconds(verdict.delayMs)},
        last_status_code = ${attempt.statusCode}, last_error = ${lastError}
      where id = ${claim.deliveryId} and status = 'SENDING' and lease_number = ${claim.leaseNumber}
      returning id, event_type, attempt_count)
    insert into webhook_attempts (delivery_id, number, trigger, status_code, response_snippet, error, duration_ms,
      attempted_at)
    select id, attempt_count, case event_type when 'webhook.test' then 'test' else 'schedule' end,
      ${attempt.statusCode}::integer, ${attempt.snippet}, ${attempt.error}, ${attempt.durationMs}, ${attempt.attemptedAt}
    from delivery
    returning number`);
  return saved.length === 1;
}

/** Gives a claim back as if it had never been made: no attempt was made under it, so none is counted. */
export async function releaseClaim(db: Queryable, claim: ClaimedDelivery, delayMs: number): Promise<void> {
  await db.query(sql`
    update webhook_deliveries set
      status = ${claim.statusBefore}, lease_until = null, attempt_count = attempt_count - 1, updated_at = now(),
      next_attempt_at = now() + ${milliseconds(delayMs)}
    where id = ${claim.deliveryId} and status = 'SENDING' and lease_number = ${claim.leaseNumber}`);
}

/** A claim whose holder let its lease lapse. */
export type LapsedClaim = Claim & { readonly claimedAt: Date; readonly heldMs: number };

/** Some claims whose lease is over, longest first. */
export async function listLapsedClaims(db: Queryable, limit: number): Promise<LapsedClaim[]> {
  return await db.query<LapsedClaim>(sql`
    select id as "deliveryId", lease_number as "leaseNumber", attempt_count as attempt,
      endpoint_id as "endpointId", event_type as "eventType", updated_at as "claimedAt",
      (extract(epoch from now() - updated_at) * 1000)::integer as "heldMs"
    from webhook_deliveries
    where status = 'SENDING' and lease_until < now()
    order by lease_until limit ${limit}`);
}

/** Ends every delivery of an endpoint that waits for an attempt. */
export async function exhaustWaiting(
  tx: Transaction,
  endpointId: string,
  error: WebhookError,
): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries
    set status = 'EXHAUSTED', next_attempt_at = null, last_error = ${error}, updated_at = now()
    where endpoint_id = ${endpointId} and ${isWaiting}`);
}

/**
 * Ends some deliveries of disabled endpoints that came due more than `dueForMs` ago, and answers how many. What is
 * parked is read oldest first and no further, so that a pass without anything to end costs a probe per endpoint.
 */
export async function exhaustLongParked(
  db: Queryable,
  options: { dueForMs: number; error: WebhookError; limit: number },
): Promise<number> {
  const { dueForMs, error, limit } = options;
  const isLongDue = sql`next_attempt_at < now() - ${milliseconds(dueForMs)}`;
  const ended = await db.query(sql`
    with parked as (
      select delivery.id from webhook_endpoints endpoint
      cross join lateral (
        select id from webhook_deliveries
        where ${isWaiting} and endpoint_id = endpoint.id and ${isLongDue}
        order by next_attempt_at limit ${limit}) delivery
      where not endpoint.is_active and endpoint.deleted_at is null
      limit ${limit})
    update webhook_deliveries
    set status = 'EXHAUSTED', next_attempt_at = null, last_error = ${error}, updated_at = now()
    where id in (select id from parked) and ${isWaiting} and ${isLongDue}
    returning id`);
  return ended.length;
}

/** Ends those deliveries of an endpoint that came due while it was disabled and are older than `olderThanMs`. */
export async function exhaustParked(
  tx: Transaction,
  endpointId: string,
  options: { olderThanMs: number; error: WebhookError },
): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries
    set status = 'EXHAUSTED', next_attempt_at = null, last_error = ${options.error}, updated_at = now()
    where endpoint_id = ${endpointId} and ${isWaiting} and next_attempt_at <= now()
      and created_at < now() - ${milliseconds(options.olderThanMs)}`);
}

/** Lines up what came due while an endpoint was disabled, oldest first, one every `everyMs`. */
export async function spreadParked(tx: Transaction, endpointId: string, everyMs: number): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries delivery
    set next_attempt_at = now() + (parked.place - 1) * ${milliseconds(everyMs)}, updated_at = now()
    from (
      select id, row_number() over (order by created_at, id) as place from webhook_deliveries
      where endpoint_id = ${endpointId} and ${isWaiting} and next_attempt_at <= now()) parked
    where delivery.id = parked.id and delivery.status in ('PENDING', 'FAILED')`);
}

/** A duration for SQL; null stays null. */
function milliseconds(ms: number | null): Sql {
  return sql`${ms}::double precision * interval '1 millisecond'`;
}
