import type { ChargeId, DeliveryId, EndpointId, EventId, MerchantId, ReferenceId } from "@daric/domain/ids";
import {
  type DeliveryTrigger,
  deliveryMachine,
  type WebhookDeliveryStatus,
  type WebhookError,
} from "@daric/domain/webhook-delivery";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { literals, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { countListed, follows, listPage, type Page, pageOf, wanted } from "@daric/totals/list-store";
import { hasReference } from "./delivery-store.ts";

export type DeliveryLogRow = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: WebhookEventType;
  readonly endpointId: EndpointId;
  /** as it is now; null once the endpoint is gone */
  readonly endpointUrl: string | null;
  readonly referenceId: ReferenceId | null;
  /** the charge that the event speaks of, or that its deposit paid */
  readonly chargeId: ChargeId | null;
  readonly orderRef: string | null;
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
  readonly endpointId?: EndpointId | undefined;
  readonly orderRef?: string | undefined;
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
    rows: (part) => db.query<DeliveryLogRow>(named(filter, pageStatement(filter, part))),
    total: () => countDeliveries(db, filter),
    find: (id) => findDelivery(db, { merchantId: filter.merchantId, id }),
  });
}

/**
 * The statement of a page, exported to test its plan. Its order is that of the ids, which begin with their time, since the
 * table's key has it. Rows of a status that lasts are in the order of an index of their own.
 */
export function pageStatement(filter: DeliveryFilter, page: Page<DeliveryId>): Sql {
  const { merchantId } = filter;
  const deliveries = sql`select ${columns} from webhook_deliveries where ${matching(filter)}`;
  if (isByFacet(filter)) {
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

/** Whether the page is in the order of the index of its status. */
function isByFacet({ status }: DeliveryFilter): boolean {
  return status !== undefined && !passingStatuses.includes(status);
}

/** The deliveries of a statement with their endpoints and orders, looked up for each shown row by its key. */
function named({ merchantId, ...filter }: DeliveryFilter, deliveries: Sql): Sql {
  const order = isByFacet({ merchantId, ...filter })
    ? sql`shown."createdAt" desc, shown.id desc`
    : sql`shown.id desc`;
  return sql`
    select shown.*, endpoint.url as "endpointUrl", charge.id as "chargeId", charge.order_ref as "orderRef"
    from (${deliveries}) shown
    left join lateral (
      select url from webhook_endpoints where merchant_id = ${merchantId} and id = shown."endpointId" limit 1
    ) endpoint on true
    left join lateral (
      select deposit_address_id from deposits where merchant_id = ${merchantId} and id = shown."referenceId" limit 1
    ) deposit on true
    left join lateral (
      select id, order_ref from deposit_addresses
      where merchant_id = ${merchantId} and id = coalesce(deposit.deposit_address_id, shown."referenceId") limit 1
    ) charge on true
    order by ${order}`;
}

async function countDeliveries(db: Queryable, filter: DeliveryFilter): Promise<number> {
  const { merchantId, status, ...narrower } = filter;
  if (Object.values(narrower).every((value) => value === undefined))
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
      named(
        { merchantId, status: undefined, referenceId: undefined },
        sql`select ${columns} from webhook_deliveries where merchant_id = ${merchantId} and id = ${id}`,
      ),
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

/** People can send a delivery again without end: the newest attempts are listed. */
const MAX_ATTEMPTS = 100;

/**
 * Returns the newest kept attempts of a delivery, first to last. Reads only partitions of months in which they can have
 * been made, with a margin for clocks.
 */
export async function listAttempts(
  db: Queryable,
  delivery: { merchantId: MerchantId } & Pick<DeliveryLogRow, "id" | "createdAt" | "updatedAt">,
): Promise<AttemptLogRow[]> {
  const newest = await db.query<AttemptLogRow>(sql`
    select number, trigger, status_code as "statusCode", response_snippet as "responseSnippet", error,
      duration_ms as "durationMs", attempted_at as "attemptedAt", url, signatures,
      response_headers as "responseHeaders"
    from webhook_attempts
    where merchant_id = ${delivery.merchantId} and delivery_id = ${delivery.id}
      and attempted_at >= ${delivery.createdAt}::timestamptz - interval '1 day'
      and attempted_at <= ${delivery.updatedAt}::timestamptz + interval '1 day'
    order by number desc limit ${MAX_ATTEMPTS}`);
  return newest.toReversed();
}

function matching({ merchantId, status, referenceId, endpointId, orderRef }: DeliveryFilter): Sql {
  return sql`merchant_id = ${merchantId} ${wanted(status, (value) => sql`and status = ${literals(value)}`)}
    ${wanted(referenceId, (id) => hasReference({ merchantId, id }))}
    ${wanted(endpointId, (id) => sql`and endpoint_id = ${id}`)}
    ${wanted(orderRef, (value) => speaksOfOrder(merchantId, value))}`;
}

/** The condition that an event speaks of a charge with this reference, or of one of its deposits. */
function speaksOfOrder(merchantId: MerchantId, orderRef: string): Sql {
  const charges = sql`select id from deposit_addresses where merchant_id = ${merchantId} and order_ref = ${orderRef}`;
  return sql`and event_id = any(array(
    select id from webhook_events where merchant_id = ${merchantId} and resource_id = any(array(
      ${charges} union all
      select id from deposits where merchant_id = ${merchantId} and deposit_address_id = any(array(${charges}))))))`;
}
