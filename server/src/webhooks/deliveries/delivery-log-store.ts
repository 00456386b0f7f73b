import { literals, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { DeliveryId, EndpointId, EventId, MerchantId, ReferenceId } from "../../domain/ids.ts";
import {
  type DeliveryTrigger,
  deliveryMachine,
  type WebhookDeliveryStatus,
  type WebhookError,
} from "../../domain/webhook-delivery.ts";
import type { WebhookEventType } from "../../domain/webhook-event.ts";
import { countListed, follows, listPage, type Page, pageOf, wanted } from "../../totals/list-store.ts";
import { hasReference } from "./delivery-store.ts";

export type DeliveryLogRow = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: WebhookEventType;
  readonly endpointId: EndpointId;
  readonly referenceId: ReferenceId | null;
  readonly status: WebhookDeliveryStatus;
  readonly attemptCount: number;
  readonly lastStatusCode: number | null;
  readonly lastError: WebhookError | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type AttemptLogRow = {
  readonly number: number;
  readonly trigger: DeliveryTrigger;
  readonly statusCode: number | null;
  readonly responseSnippet: string | null;
  readonly error: WebhookError | null;
  readonly durationMs: number;
  readonly attemptedAt: Date;
  /** of the request and the answer; null where nothing was sent */
  readonly url: string | null;
  readonly signatures: Buffer | null;
  readonly responseHeaders: string | null;
};

export type DeliveryFilter = {
  readonly merchantId: MerchantId;
  readonly status: WebhookDeliveryStatus | undefined;
  readonly referenceId: ReferenceId | undefined;
};

/** No index has these statuses in the order of the list, since a delivery has them for a moment. */
const passingStatuses: readonly WebhookDeliveryStatus[] = [
  deliveryMachine.initial,
  deliveryMachine.edge("claimed").to,
];

const columns = sql`id, event_id as "eventId", event_type as "eventType", endpoint_id as "endpointId",
  reference_id as "referenceId", status, attempt_count as "attemptCount", last_status_code as "lastStatusCode",
  last_error as "lastError", next_attempt_at as "nextAttemptAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

/**
 * Returns one page, newest first, and the exact total. Totals by status are kept up to date, so history costs
 * nothing.
 */
export function listDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
  page: Page<DeliveryId>,
): Promise<{ rows: DeliveryLogRow[]; total: number }> {
  return listPage(page, {
    rows: (part) => db.query<DeliveryLogRow>(pageStatement(filter, part)),
    total: () => countDeliveries(db, filter),
    find: (id) => findDelivery(db, { merchantId: filter.merchantId, id }),
  });
}

/**
 * The statement of a page, exported to test its plan. Its order is that of the ids, which begin with their time, since the
 * table's key has it. Rows of a status that lasts are in the order of an index of their own.
 */
export function pageStatement(filter: DeliveryFilter, page: Page<DeliveryId>): Sql {
  const { merchantId, status } = filter;
  const deliveries = sql`select ${columns} from webhook_deliveries where ${matching(filter)}`;
  if (status !== undefined && !passingStatuses.includes(status)) {
    const rest = follows(page.after, { merchantId, table: sql`webhook_deliveries` });
    return pageOf(sql`${deliveries} ${rest} order by created_at desc, id desc`, page);
  }
  const rest = wanted(
    page.after,
    (id) =>
      sql`and id < (select id from webhook_deliveries where merchant_id = ${merchantId} and id = ${id})`,
  );
  return pageOf(sql`${deliveries} ${rest} order by id desc`, page);
}

async function countDeliveries(db: Queryable, filter: DeliveryFilter): Promise<number> {
  const { merchantId, status, referenceId } = filter;
  if (referenceId === undefined)
    return countListed(db, "webhook_deliveries", { merchantId, facets: [status] });
  const counting = sql`select count(*) as total from webhook_deliveries where ${matching(filter)}`;
  return Number(one(await db.query<{ total: bigint }>(counting)).total);
}

/** The events of a charge and of its deposits that no endpoint was given, in their order. */
export async function listEventsWithoutDelivery(
  db: Queryable,
  { merchantId, referenceIds }: { merchantId: MerchantId; referenceIds: readonly ReferenceId[] },
): Promise<{ id: EventId; type: WebhookEventType; createdAt: Date }[]> {
  return db.query(sql`
    select e.id, e.type, e.created_at as "createdAt" from webhook_events e
    where e.merchant_id = ${merchantId} and e.resource_id = any(${referenceIds}::uuid[])
      and not exists (
        select from webhook_deliveries d where d.merchant_id = ${merchantId} and d.event_id = e.id)
    order by e.created_at, e.id`);
}

export async function findDelivery(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: DeliveryId },
): Promise<DeliveryLogRow | undefined> {
  return maybeOne(
    await db.query<DeliveryLogRow>(
      sql`select ${columns} from webhook_deliveries where merchant_id = ${merchantId} and id = ${id}`,
    ),
  );
}

/** The subjects of the event or the delivery with this id, and of the newest 20 deliveries of the endpoint with this id. */
export async function findReferences(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: string },
): Promise<ReferenceId[]> {
  const rows = await db.query<{ referenceId: ReferenceId }>(sql`
    select resource_id as "referenceId" from webhook_events where merchant_id = ${merchantId} and id = ${id}::uuid
    union all
    select reference_id from webhook_deliveries where merchant_id = ${merchantId} and id = ${id}::uuid and reference_id is not null
    union all
    (select reference_id from webhook_deliveries where merchant_id = ${merchantId} and endpoint_id = ${id}::uuid
      and reference_id is not null order by id desc limit 20)`);
  return rows.map(({ referenceId }) => referenceId);
}

/**
 * Returns the kept attempts of a delivery, first to last. Reads only partitions of months in which they can have
 * been made, with a margin for clocks.
 */
export async function listAttempts(
  db: Queryable,
  delivery: { merchantId: MerchantId } & Pick<DeliveryLogRow, "id" | "createdAt" | "updatedAt">,
): Promise<AttemptLogRow[]> {
  return db.query<AttemptLogRow>(sql`
    select number, trigger, status_code as "statusCode", response_snippet as "responseSnippet", error,
      duration_ms as "durationMs", attempted_at as "attemptedAt", url, signatures,
      response_headers as "responseHeaders"
    from webhook_attempts
    where merchant_id = ${delivery.merchantId} and delivery_id = ${delivery.id}
      and attempted_at >= ${delivery.createdAt}::timestamptz - interval '1 day'
      and attempted_at <= ${delivery.updatedAt}::timestamptz + interval '1 day'
    order by number`);
}

function matching({ merchantId, status, referenceId }: DeliveryFilter): Sql {
  return sql`merchant_id = ${merchantId} ${wanted(status, (value) => sql`and status = ${literals(value)}`)}
    ${wanted(referenceId, (id) => hasReference({ merchantId, id }))}`;
}
