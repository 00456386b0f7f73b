import type { DeliveryId, EndpointId, EventId, MerchantId, ReferenceId } from "@daric/domain/ids";
import { deliveryMachine, type WaitingDeliveryStatus } from "@daric/domain/webhook-delivery";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import {
  joinedOf,
  literals,
  maybeOne,
  milliseconds,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { counted } from "@daric/totals/list-store";
import { rescheduledSooner } from "../queue/queue-store.ts";
import type { SealedSecrets } from "../sending/signing-keys.ts";

const claimed = deliveryMachine.edge("claimed");

/**
 * The right to make one attempt until the lease ends. `leaseNumber` is the fencing token: a later claim invalidates
 * it.
 */
export type DeliveryClaim = {
  readonly merchantId: MerchantId;
  readonly deliveryId: DeliveryId;
  readonly leaseNumber: bigint;
  readonly attempt: number;
  /** the attempts that count, with this one: its place in the schedule */
  readonly scheduleStep: number;
  /** an answer that asks for a pause does not count: the endpoint asks for pauses for less than a day */
  readonly mayPause: boolean;
  readonly endpointId: EndpointId;
  readonly eventType: WebhookEventType;
  /** a merchant resent an ended delivery: this attempt is the only one */
  readonly wasResent: boolean;
};

export type ClaimedDelivery = DeliveryClaim &
  SealedSecrets & {
    readonly statusBefore: WaitingDeliveryStatus;
    readonly url: string;
    readonly eventId: EventId;
    /** null if it is missing in the database */
    readonly body: Buffer | null;
    /** null if the event has no MAC */
    readonly eventMac: Buffer | null;
  };

/** The longest duration that an attempt can have: 24 days. A claim can come from a backup that is older. */
const MAX_INTEGER = 2 ** 31 - 1;
/** For the queries around an attempt, and for a process that stalls. */
const MARGIN_MS = 15_000;

/** How long a claim lasts. It must outlive the attempt by far, or a second worker would send at the same time. */
export function leaseMs(deadlineMs: number): number {
  return 2 * deadlineMs + MARGIN_MS;
}

/** Inserts a test delivery that is already claimed. Undefined when the merchant has no such endpoint. */
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
  const { merchantId, id, eventId, endpointId } = delivery;
  return maybeOne(
    await tx.query<ClaimedDelivery>(sql`
      with endpoint as (
        select merchant_id, id, url, secret_ciphertext from webhook_endpoints
        where merchant_id = ${merchantId} and id = ${endpointId} and deleted_at is null),
      delivery as (
        insert into webhook_deliveries as placed (merchant_id, id, event_id, endpoint_id, event_type, reference_id,
          status, attempt_count, lease_number, lease_until)
        select event.merchant_id, ${id}, event.id, endpoint.id, event.type, coalesce(event.resource_id, endpoint.id),
          ${claimed.to}, 1, 1, now() + ${milliseconds(delivery.leaseMs)}
        from endpoint join webhook_events event
          on event.merchant_id = endpoint.merchant_id and event.merchant_id = ${merchantId} and event.id = ${eventId}
        returning placed.*, false as may_pause),
      counts as (${counted("webhook_deliveries", sql`select merchant_id, array[status] as facets, 1 as delta from delivery`)}),
      ${rescheduledSooner([merchantId], sql`select merchant_id, endpoint_id, lease_until as due_at from delivery`)}
      ${claimColumns(sql`${literals(deliveryMachine.initial)}::text`, [merchantId])}`),
  );
}

/**
 * The end of a statement that makes claims: returns the rows of the CTE `delivery` with everything for the
 * attempts. A claim without a body is returned too, since it has to end. The limit keeps the planner from searching
 * every month's partition for a body.
 */
export function claimColumns(statusBefore: Sql, merchantIds: readonly MerchantId[]): Sql {
  return sql`
    select delivery.merchant_id as "merchantId", delivery.id as "deliveryId", delivery.lease_number as "leaseNumber",
      delivery.attempt_count as attempt, delivery.attempt_count - delivery.pauses as "scheduleStep",
      delivery.may_pause as "mayPause", delivery.endpoint_id as "endpointId", delivery.event_type as "eventType",
      delivery.was_resent as "wasResent", ${statusBefore} as "statusBefore", endpoint.url,
      endpoint.secret_ciphertext as "sealedSecret", endpoint.secret_generation as "secretGeneration",
      case when endpoint.previous_secret_expires_at > now() then endpoint.previous_secret_ciphertext end
        as "previousSealedSecret",
      event.id as "eventId", body.body, event.mac as "eventMac"
    from delivery
    join webhook_endpoints endpoint on ${joinedOf(sql`endpoint.merchant_id`, merchantIds)}
      and endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
    cross join lateral (
      select * from webhook_events
      where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = delivery.merchant_id and id = delivery.event_id
      limit 1) event
    left join lateral (
      select body from webhook_event_bodies
      where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = event.merchant_id
        and event_id = event.id and created_at = event.created_at
      limit 1) body on true`;
}

/** The changes for {@link counted} of a statement that changed the status of these rows, which are those of its CTE `delivery`. */
export function movesFrom(statusBefore: Sql, rows: Sql = sql`delivery`): Sql {
  return sql`
    select merchant_id, array[${statusBefore}] as facets, -count(*) as delta from ${rows}
    group by merchant_id, ${statusBefore}
    union all select merchant_id, array[status], count(*) from ${rows} group by merchant_id, status`;
}

/**
 * The condition that deliveries of a merchant have this reference. They are found by their events, so that no index has an entry for
 * it. The event of a test has no resource; its delivery refers to the endpoint.
 */
export function hasReference({ merchantId, id }: { merchantId: MerchantId; id: ReferenceId }): Sql {
  return sql`and reference_id = ${id} and event_id = any(array(
    select id from webhook_events where merchant_id = ${merchantId} and resource_id = ${id}
    union all
    select id from webhook_events where merchant_id = ${merchantId} and resource_id is null
      and exists (select from webhook_endpoints where merchant_id = ${merchantId} and id = ${id})))`;
}

export type LapsedClaim = DeliveryClaim & { readonly claimedAt: Date; readonly heldMs: number };

/** Returns expired claims of these merchants, the oldest first. */
export async function listLapsedClaims(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  limit: number,
): Promise<LapsedClaim[]> {
  return db.query<LapsedClaim>(sql`
    select merchant_id as "merchantId", id as "deliveryId", lease_number as "leaseNumber", attempt_count as attempt,
      attempt_count - pauses as "scheduleStep", false as "mayPause", delivery.endpoint_id as "endpointId", event_type as "eventType", was_resent as "wasResent",
      updated_at as "claimedAt",
      least(extract(epoch from now() - updated_at) * 1000, ${MAX_INTEGER})::integer as "heldMs"
    from (
      select merchant_id as owner_id, endpoint_id from endpoint_queue
      where merchant_id ${oneOf(merchantIds)} and due_at <= now()) queue
    cross join lateral (
      select * from webhook_deliveries
      where merchant_id ${oneOf(merchantIds)} and merchant_id = queue.owner_id and endpoint_id = queue.endpoint_id
        and status in (${literals(...deliveryMachine.edge("lapsed").from)}) and lease_until < now()
      order by lease_until limit ${limit}) delivery
    order by lease_until limit ${limit}`);
}
