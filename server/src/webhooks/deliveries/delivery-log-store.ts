import { empty, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { DeliveryId, EndpointId, EventId, MerchantId, ResourceId } from "../../domain/ids.ts";
import type { WebhookDeliveryStatus } from "../../domain/webhook-delivery.ts";

/** A delivery as its merchant reads it. */
export type DeliveryLogRow = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly endpointId: EndpointId;
  readonly referenceId: ResourceId | null;
  readonly status: WebhookDeliveryStatus;
  readonly attemptCount: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type AttemptLogRow = {
  readonly number: number;
  readonly trigger: string;
  readonly statusCode: number | null;
  readonly responseSnippet: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly attemptedAt: Date;
};

export type DeliveryFilter = {
  readonly merchantId: MerchantId;
  readonly status: WebhookDeliveryStatus | undefined;
  readonly referenceId: ResourceId | undefined;
};

const columns = sql`id, event_id as "eventId", event_type as "eventType", endpoint_id as "endpointId",
  reference_id as "referenceId", status, attempt_count as "attemptCount", last_status_code as "lastStatusCode",
  last_error as "lastError", next_attempt_at as "nextAttemptAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

/** One page, newest first. */
export async function listDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<DeliveryLogRow[]> {
  return db.query<DeliveryLogRow>(sql`
    select ${columns} from webhook_deliveries where ${matching(filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`);
}

/**
 * Exact, at a cost that does not grow with history: the totals by status are kept as rows change, and one deposit
 * has few deliveries to count.
 */
export async function countDeliveries(db: Queryable, filter: DeliveryFilter): Promise<number> {
  const { merchantId, status, referenceId } = filter;
  const ofStatus = status === undefined ? empty : sql`and facets = ${[status]}::text[]`;
  const statement =
    referenceId === undefined
      ? sql`select coalesce(sum(rows), 0)::bigint as total from list_counts
            where list = 'webhook_deliveries' and merchant_id = ${merchantId} ${ofStatus}`
      : sql`select count(*) as total from webhook_deliveries where ${matching(filter)}`;
  return Number(one(await db.query<{ total: bigint }>(statement)).total);
}

export async function findDelivery(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: DeliveryId },
): Promise<DeliveryLogRow | undefined> {
  return maybeOne(
    await db.query<DeliveryLogRow>(
      sql`select ${columns} from webhook_deliveries where id = ${id} and merchant_id = ${merchantId}`,
    ),
  );
}

/** The attempts of a delivery, first to last. */
export async function listAttempts(db: Queryable, deliveryId: DeliveryId): Promise<AttemptLogRow[]> {
  return db.query<AttemptLogRow>(sql`
    select number, trigger, status_code as "statusCode", response_snippet as "responseSnippet", error,
      duration_ms as "durationMs", attempted_at as "attemptedAt"
    from webhook_attempts where delivery_id = ${deliveryId} order by number`);
}

function matching({ merchantId, status, referenceId }: DeliveryFilter): Sql {
  const ofStatus = status === undefined ? empty : sql`and status = ${status}`;
  const ofReference = referenceId === undefined ? empty : sql`and reference_id = ${referenceId}`;
  return sql`merchant_id = ${merchantId} ${ofStatus} ${ofReference}`;
}
