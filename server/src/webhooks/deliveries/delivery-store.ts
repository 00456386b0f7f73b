import { literals, maybeOne, milliseconds, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { DeliveryId, EndpointId, EventId, MerchantId } from "../../domain/ids.ts";
import { deliveryMachine, type Verdict, type WaitingDeliveryStatus } from "../../domain/webhook-delivery.ts";
import type { WebhookEventType } from "../../domain/webhook-event.ts";
import type { PostResult } from "../sending/post-json.ts";

const claimed = deliveryMachine.edge("claimed");

/**
 * The right to make the `attempt`-th attempt of a delivery until its lease ends. `leaseNumber` is the fencing token:
 * nothing is recorded under it once another claim has been made.
 */
export type Claim = {
  readonly deliveryId: DeliveryId;
  readonly leaseNumber: bigint;
  readonly attempt: number;
  readonly endpointId: EndpointId;
  readonly eventType: WebhookEventType;
};

/** A claim with all that is needed to make the attempt. */
export type ClaimedDelivery = Claim & {
  readonly statusBefore: WaitingDeliveryStatus;
  readonly merchantId: MerchantId;
  readonly url: string;
  readonly sealedSecret: Buffer;
  readonly eventId: EventId;
  readonly body: Buffer;
};

/** Time beyond two deadlines that a claim lasts: for the queries around the attempt and a process that stalls. */
const MARGIN_MS = 15_000;

/**
 * How long a claim lasts. It must outlive the attempt by far, or a second worker would send beside the first: two
 * whole deadlines and a margin. What a crash costs is this wait and never a delivery.
 */
export function leaseMs(deadlineMs: number): number {
  return 2 * deadlineMs + MARGIN_MS;
}

/**
 * Makes a delivery that is under way from the start, of an event that only its sender delivers. Undefined when the
 * merchant has no such endpoint.
 */
export async function insertClaimedDelivery(
  tx: Transaction,
  delivery: {
    id: DeliveryId;
    eventId: EventId;
    endpointId: EndpointId;
    merchantId: MerchantId;
    leaseMs: number;
  },
): Promise<ClaimedDelivery | undefined> {
  return maybeOne(
    await tx.query<ClaimedDelivery>(sql`
      with endpoint as (
        select id, url, secret_ciphertext from webhook_endpoints
        where id = ${delivery.endpointId} and merchant_id = ${delivery.merchantId} and deleted_at is null),
      inserted as (
        insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id,
          status, attempt_count, lease_number, lease_until)
        select ${delivery.id}, event.merchant_id, event.id, endpoint.id, event.type, event.resource_id,
          ${claimed.to}, 1, 1, now() + ${milliseconds(delivery.leaseMs)}
        from webhook_events event cross join endpoint where event.id = ${delivery.eventId}
        returning *)
      select inserted.id as "deliveryId", lease_number as "leaseNumber", attempt_count as attempt,
        endpoint_id as "endpointId", event_type as "eventType", ${deliveryMachine.initial} as "statusBefore",
        inserted.merchant_id as "merchantId", endpoint.url, endpoint.secret_ciphertext as "sealedSecret",
        event.id as "eventId", event.body
      from inserted cross join endpoint join webhook_events event on event.id = inserted.event_id`),
  );
}

export type Attempt = Omit<PostResult, "cause">;

/**
 * Writes the attempt and where the delivery stands after it, both or neither, and only while the lease is ours. False
 * when the lease was lost: nothing is written.
 */
export async function saveAttempt(
  db: Queryable,
  claim: Claim,
  { attempt, verdict }: { attempt: Attempt; verdict: Verdict },
): Promise<boolean> {
  const { from, to } = deliveryMachine.edge(verdict.event);
  const saved = await db.query(sql`
    with delivery as (
      update webhook_deliveries set
        status = ${to}, lease_until = null, updated_at = now(),
        next_attempt_at = now() + ${milliseconds(verdict.delayMs)},
        last_status_code = ${attempt.statusCode}, last_error = ${attempt.error}
      where id = ${claim.deliveryId} and status in (${literals(...from)}) and lease_number = ${claim.leaseNumber}
      returning merchant_id, id, event_type, attempt_count)
    insert into webhook_attempts (merchant_id, delivery_id, number, trigger, status_code, response_snippet, error, duration_ms,
      attempted_at)
    select merchant_id, id, attempt_count, case event_type when 'webhook.test' then 'test' else 'schedule' end,
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
    where id = ${claim.deliveryId} and status = ${claimed.to} and lease_number = ${claim.leaseNumber}`);
}

/** A claim whose holder let its lease lapse. */
export type LapsedClaim = Claim & { readonly claimedAt: Date; readonly heldMs: number };

/** Some claims whose lease is over, longest first. */
export async function listLapsedClaims(db: Queryable, limit: number): Promise<LapsedClaim[]> {
  return db.query<LapsedClaim>(sql`
    select id as "deliveryId", lease_number as "leaseNumber", attempt_count as attempt,
      endpoint_id as "endpointId", event_type as "eventType", updated_at as "claimedAt",
      (extract(epoch from now() - updated_at) * 1000)::integer as "heldMs"
    from webhook_deliveries
    where status in (${literals(...deliveryMachine.edge("lapsed").from)}) and lease_until < now()
    order by lease_until limit ${limit}`);
}
