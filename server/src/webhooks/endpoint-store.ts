import { empty, maybeOne, one, type Queryable, type Sql, sql, type Transaction } from "../db/sql.ts";
import type { WebhookEventType } from "../domain/webhook-event.ts";

export type WebhookEndpoint = {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly WebhookEventType[];
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a PATCH changes; a field that is left out stays as it is. */
export type EndpointChanges = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly WebhookEventType[] | undefined;
  readonly isActive?: boolean | undefined;
};

const columns = sql`id, merchant_id as "merchantId", url, description, event_types as "eventTypes",
  is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

export async function insertEndpoint(
  db: Queryable,
  endpoint: Pick<WebhookEndpoint, "id" | "merchantId" | "url" | "description" | "eventTypes"> & {
    sealedSecret: Buffer;
  },
): Promise<WebhookEndpoint> {
  const { id, merchantId, url, description, eventTypes, sealedSecret } = endpoint;
  return one(
    await db.query<WebhookEndpoint>(sql`
      insert into webhook_endpoints (id, merchant_id, url, description, event_types, secret_ciphertext)
      values (${id}, ${merchantId}, ${url}, ${description}, ${eventTypes}::text[], ${sealedSecret})
      returning ${columns}`),
  );
}

/** An endpoint of this merchant that is not deleted. */
export async function findEndpoint(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  return maybeOne(
    await db.query<WebhookEndpoint>(
      sql`select ${columns} from webhook_endpoints where ${live(merchantId, id)}`,
    ),
  );
}

/** The same, locked until the transaction ends: no event is enqueued for it and no failure recorded meanwhile. */
export async function lockEndpoint(
  tx: Transaction,
  merchantId: string,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  return maybeOne(
    await tx.query<WebhookEndpoint>(
      sql`select ${columns} from webhook_endpoints where ${live(merchantId, id)} for no key update`,
    ),
  );
}

/** Writes the changes to a row the caller has locked. The secret is not among what can be changed. */
export async function updateEndpointRow(
  tx: Transaction,
  id: string,
  changes: EndpointChanges,
): Promise<WebhookEndpoint> {
  const isDescribed = changes.description !== undefined;
  return one(
    await tx.query<WebhookEndpoint>(sql`
      update webhook_endpoints set
        url = coalesce(${changes.url ?? null}, url),
        description = case when ${isDescribed} then ${changes.description ?? null} else description end,
        event_types = coalesce(${changes.eventTypes ?? null}::text[], event_types),
        is_active = coalesce(${changes.isActive ?? null}, is_active),
        updated_at = now()
      where id = ${id}
      returning ${columns}`),
  );
}

/** Marks a locked endpoint as deleted and forgets its secret. */
export async function markEndpointDeleted(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set deleted_at = now(), updated_at = now(), is_active = false,
      secret_ciphertext = null, previous_secret_ciphertext = null, previous_secret_expires_at = null
    where id = ${id}`);
}

/** Whether the endpoint of a delivery is deleted by now; it stays as it is until the transaction ends. */
export async function lockIsDeleted(tx: Transaction, id: string): Promise<boolean> {
  const row = one(
    await tx.query<{ isDeleted: boolean }>(sql`
      select deleted_at is not null as "isDeleted" from webhook_endpoints where id = ${id} for share`),
  );
  return row.isDeleted;
}

export type EndpointFilter = { readonly merchantId: string; readonly isActive: boolean | undefined };

/** One page, newest first. */
export async function listEndpoints(
  db: Queryable,
  filter: EndpointFilter,
  page: { limit: number; offset: number },
): Promise<WebhookEndpoint[]> {
  return await db.query<WebhookEndpoint>(sql`
    select ${columns} from webhook_endpoints where ${matching(filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`);
}

/** Counted row by row: a merchant has a handful of endpoints. */
export async function countEndpoints(db: Queryable, filter: EndpointFilter): Promise<number> {
  const row = one(
    await db.query<{ total: bigint }>(
      sql`select count(*) as total from webhook_endpoints where ${matching(filter)}`,
    ),
  );
  return Number(row.total);
}

function live(merchantId: string, id: string): Sql {
  return sql`id = ${id} and merchant_id = ${merchantId} and deleted_at is null`;
}

function matching({ merchantId, isActive }: EndpointFilter): Sql {
  const status = isActive === undefined ? empty : sql`and is_active = ${isActive}`;
  return sql`merchant_id = ${merchantId} and deleted_at is null ${status}`;
}
