import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { ApiScope } from "../domain/api-scope.ts";
import type { ApiKeyId, MerchantId } from "../domain/ids.ts";

/** An API key as its owner may see it. The key itself is not kept. */
export type ApiKey = {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly lookupId: string;
  readonly name: string | null;
  readonly scopes: readonly ApiScope[];
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};

/** What a request is checked against. Exists only for keys that are neither revoked nor expired. */
export type LiveApiKey = {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly ApiScope[];
  /** for how long from now this answer may be believed */
  readonly validForMs: number;
  /** the stored time of last use is older than a minute */
  readonly isUseDue: boolean;
};

const columns = sql`
  id, merchant_id as "merchantId", lookup_id as "lookupId", name, scopes, last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", created_at as "createdAt"`;

export type NewApiKey = {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly lookupId: string;
  readonly secretHash: Uint8Array;
  readonly name: string | null;
  readonly scopes: readonly ApiScope[];
  /** from the database's now; null = does not expire */
  readonly expiresInMs: number | null;
};

export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<ApiKey> {
  return one(
    await db.query<ApiKey>(sql`
      insert into api_keys (id, merchant_id, lookup_id, secret_hash, name, scopes, expires_at)
      values (${key.id}, ${key.merchantId}, ${key.lookupId}, ${key.secretHash}, ${key.name}, ${key.scopes},
        now() + ${key.expiresInMs}::float8 * interval '1 millisecond')
      returning ${columns}`),
  );
}

/**
 * The key with this look-up id if it may be used now, by the database's clock. `validForMs` is `maxAgeMs`, or less
 * where the key expires earlier.
 */
export async function findLiveApiKey(
  db: Queryable,
  input: { lookupId: string; maxAgeMs: number },
): Promise<LiveApiKey | undefined> {
  return maybeOne(
    await db.query<LiveApiKey>(sql`
      select id, merchant_id as "merchantId", secret_hash as "secretHash", scopes,
        floor(least(${input.maxAgeMs}::float8, extract(epoch from expires_at - now()) * 1000))::int4
          as "validForMs",
        coalesce(last_used_at < now() - interval '1 minute', true) as "isUseDue"
      from api_keys
      where lookup_id = ${input.lookupId} and revoked_at is null and (expires_at is null or expires_at > now())`),
  );
}

/** Writes the time of last use, at most once a minute however many processes see the key. */
export async function recordApiKeyUse(db: Queryable, id: ApiKeyId): Promise<void> {
  await db.query(sql`
    update api_keys set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)`);
}

/** The key, held until the transaction ends, and whether it may be used now by the database's clock. */
export async function lockApiKey(
  tx: Transaction,
  id: ApiKeyId,
): Promise<(ApiKey & { isLive: boolean; lifetimeMs: number | null }) | undefined> {
  return maybeOne(
    await tx.query<ApiKey & { isLive: boolean; lifetimeMs: number | null }>(sql`
      select ${columns}, revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
        (extract(epoch from expires_at - created_at) * 1000)::float8 as "lifetimeMs"
      from api_keys where id = ${id} for no key update`),
  );
}

/** Newest first, revoked and expired ones included. */
export async function listApiKeys(db: Queryable, merchantId: MerchantId): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    sql`select ${columns} from api_keys where merchant_id = ${merchantId} order by created_at desc, id desc`,
  );
}

/** Marks the key as revoked. A second time keeps the first time's stamp. */
export async function markRevoked(db: Queryable, id: ApiKeyId): Promise<ApiKey | undefined> {
  return maybeOne(
    await db.query<ApiKey>(sql`
      update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning ${columns}`),
  );
}

/** Lets the key expire after this time, or earlier where it would have. */
export async function shortenLife(tx: Transaction, input: { id: ApiKeyId; lifeMs: number }): Promise<ApiKey> {
  return one(
    await tx.query<ApiKey>(sql`
      update api_keys set expires_at = least(expires_at, now() + ${input.lifeMs}::float8 * interval '1 millisecond')
      where id = ${input.id} returning ${columns}`),
  );
}
