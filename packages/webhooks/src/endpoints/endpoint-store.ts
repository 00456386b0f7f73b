import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import {
  maybeOne,
  milliseconds,
  one,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { follows, listPage, type Page, wanted } from "@daric/totals/list-store";
import { forgottenHealth } from "../queue/health-store.ts";
import { insertedChange, insertedQueue } from "../queue/queue-store.ts";

export type WebhookEndpoint = {
  readonly id: EndpointId;
  readonly merchantId: MerchantId;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly WebhookEventType[];
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The fields of a PATCH; an absent field keeps its value. */
export type EndpointChanges = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly WebhookEventType[] | undefined;
  readonly isActive?: boolean | undefined;
};

const columns = sql`id, merchant_id as "merchantId", url, description, event_types as "eventTypes",
  is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

/** Serializes the creation of a merchant's endpoints until the transaction ends, so that they can be counted. */
export async function lockEndpointCount(tx: Transaction, merchantId: MerchantId): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || ${merchantId}::text, 0))`,
  );
}

export async function insertEndpoint(
  db: Queryable,
  endpoint: Pick<WebhookEndpoint, "id" | "merchantId" | "url" | "description" | "eventTypes"> & {
    sealedSecret: Buffer;
    generation: number;
  },
): Promise<WebhookEndpoint> {
  const { id, merchantId, url, description, eventTypes, sealedSecret, generation } = endpoint;
  return one(
    await db.query<WebhookEndpoint>(sql`
      with endpoint as (
        insert into webhook_endpoints (merchant_id, id, url, description, event_types, secret_ciphertext,
          secret_generation)
        values (${merchantId}, ${id}, ${url}, ${description}, ${eventTypes}::text[], ${sealedSecret}, ${generation})
        returning *),
      queue as (${insertedQueue(sql`select merchant_id, id from endpoint`)})
      select ${columns} from endpoint`),
  );
}

/** Returns an endpoint that is not deleted. */
export async function findEndpoint(
  db: Queryable,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<WebhookEndpoint | undefined> {
  return maybeOne(
    await db.query<WebhookEndpoint>(sql`select ${columns} from webhook_endpoints where ${live(endpoint)}`),
  );
}

/**
 * Updates an endpoint that is not deleted; undefined if there is none, or it was changed after `shownAt`. Records when an endpoint was enabled again.
 * An endpoint that is enabled or gets a URL is not suspended any more.
 */
export async function updateEndpointRow(
  db: Queryable,
  endpoint: { merchantId: MerchantId; id: EndpointId; shownAt?: Date | undefined },
  changes: EndpointChanges,
): Promise<WebhookEndpoint | undefined> {
  const { url, description, eventTypes, isActive } = changes;
  const isMended = isActive === true || url !== undefined;
  const isResumed = sql`(${isActive ?? null}::boolean and not is_active)`;
  return maybeOne(
    await db.query<WebhookEndpoint>(sql`
      with endpoint as (
        update webhook_endpoints set
          url = coalesce(${url ?? null}, url),
          description = case when ${description !== undefined} then ${description ?? null} else description end,
          event_types = coalesce(${eventTypes ?? null}::text[], event_types),
          is_active = coalesce(${isActive ?? null}, is_active),
          resumed_at = case when ${isResumed} then clock.now else resumed_at end,
          lined_up_until = case when ${isResumed} then clock.now else lined_up_until end,
          updated_at = now()
        from (select now() as now) clock
        where ${live(endpoint)} ${wanted(endpoint.shownAt, isOfMillisecond)}
        returning webhook_endpoints.*),
      changes as (${insertedChange(sql`select merchant_id, id from endpoint where resumed_at = now()`)}),
      tried as (${forgottenHealth(sql`select merchant_id, id from endpoint where ${isMended}`, endpoint.merchantId)})
      select ${columns} from endpoint`),
  );
}

export type RotatedEndpoint = WebhookEndpoint & { readonly previousSecretExpiresAt: Date | null };

/** Locks an endpoint that is not deleted and returns its secret. */
export async function lockSecret(
  tx: Transaction,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<{ sealedSecret: Buffer; generation: number } | undefined> {
  return maybeOne(
    await tx.query<{ sealedSecret: Buffer; generation: number }>(sql`
      select secret_ciphertext as "sealedSecret", secret_generation as generation
      from webhook_endpoints where ${live(endpoint)} for no key update`),
  );
}

/** Replaces the secret of a locked endpoint; the previous one also signs for `overlapSeconds`. */
export async function replaceSecret(
  tx: Transaction,
  endpoint: {
    merchantId: MerchantId;
    id: EndpointId;
    generation: number;
    sealedSecret: Buffer;
    previousSecret: Buffer | null;
    overlapSeconds: number;
  },
): Promise<RotatedEndpoint> {
  const { generation, sealedSecret, previousSecret, overlapSeconds } = endpoint;
  const overlapMs = previousSecret === null ? null : overlapSeconds * 1_000;
  return one(
    await tx.query<RotatedEndpoint>(sql`
      update webhook_endpoints set
        previous_secret_ciphertext = ${previousSecret}, previous_secret_expires_at = now() + ${milliseconds(overlapMs)},
        secret_ciphertext = ${sealedSecret}, secret_generation = ${generation}, updated_at = now()
      where ${live(endpoint)}
      returning ${columns}, previous_secret_expires_at as "previousSecretExpiresAt"`),
  );
}

/** Marks an endpoint as deleted and erases its secret; false if there is none. */
export async function markEndpointDeleted(
  db: Queryable,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<boolean> {
  const deleted = await db.query(sql`
    with endpoint as (
      update webhook_endpoints set deleted_at = now(), updated_at = now(), is_active = false,
        secret_ciphertext = null, previous_secret_ciphertext = null, previous_secret_expires_at = null
      where ${live(endpoint)}
      returning merchant_id, id),
    changes as (${insertedChange(sql`select merchant_id, id from endpoint`)})
    select from endpoint`);
  return deleted.length === 1;
}

/** The live endpoints of a merchant with this URL. */
export async function findEndpointsAt(
  db: Queryable,
  { merchantId, url }: Pick<WebhookEndpoint, "merchantId" | "url">,
): Promise<EndpointId[]> {
  const rows = await db.query<{ id: EndpointId }>(sql`
    select id from webhook_endpoints
    where merchant_id = ${merchantId} and url = ${url} and deleted_at is null`);
  return rows.map(({ id }) => id);
}

export type EndpointFilter = { readonly merchantId: MerchantId; readonly isActive: boolean | undefined };

/** Returns one page, newest first, and the total. */
export function listEndpoints(
  db: Queryable,
  filter: EndpointFilter,
  page: Page<EndpointId>,
): Promise<{ rows: WebhookEndpoint[]; total: number }> {
  return listPage(page, {
    rows: (part) => db.query<WebhookEndpoint>(pageStatement(filter, part)),
    total: () => countEndpoints(db, filter),
    find: (id) => findEndpoint(db, { merchantId: filter.merchantId, id }),
  });
}

function pageStatement(filter: EndpointFilter, page: Page<EndpointId>): Sql {
  return sql`
    select ${columns} from webhook_endpoints where ${matching(filter)}
      ${follows(page.after, { merchantId: filter.merchantId, table: sql`webhook_endpoints` })}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`;
}

/** Counts rows directly: a merchant has few endpoints. */
export async function countEndpoints(db: Queryable, filter: EndpointFilter): Promise<number> {
  const row = one(
    await db.query<{ total: bigint }>(
      sql`select count(*) as total from webhook_endpoints where ${matching(filter)}`,
    ),
  );
  return Number(row.total);
}

function live({ merchantId, id }: { merchantId: MerchantId; id: EndpointId }): Sql {
  return sql`merchant_id = ${merchantId} and id = ${id} and deleted_at is null`;
}

function matching({ merchantId, isActive }: EndpointFilter): Sql {
  return sql`merchant_id = ${merchantId} and deleted_at is null
    ${wanted(isActive, (value) => sql`and is_active = ${value}`)}`;
}

/** The condition that an endpoint was changed last in this millisecond. A time of JavaScript has no finer one. */
function isOfMillisecond(time: Date): Sql {
  return sql`and updated_at >= ${time} and updated_at < ${time}::timestamptz + interval '1 millisecond'`;
}
