import type { ApiScope } from "@daric/domain/api-scope";
import { type ApiKeyId, idOf, type MerchantId } from "@daric/domain/ids";
import {
  maybeOne,
  milliseconds,
  one,
  oneOf,
  type Queryable,
  quick,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { isUsable, MAX_KEYS } from "./key-count-store.ts";

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

/** A key that is neither revoked nor expired. */
export type LiveApiKey = {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly ApiScope[];
  /** how long this row may be cached */
  readonly validForMs: number;
  /** the recorded time of last use is older than a minute */
  readonly isUseDue: boolean;
};

export type ApiKeyName = { readonly merchantId: MerchantId; readonly id: ApiKeyId };

const columns = sql`
  id, merchant_id as "merchantId", lookup_id as "lookupId", name, scopes, last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", created_at as "createdAt"`;

export type NewApiKey = {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly lookupId: string;
  readonly secretHash: Uint8Array;
  readonly pepperId: Uint8Array;
  readonly name: string | null;
  readonly scopes: readonly ApiScope[];
  /** null: never expires */
  readonly expiresInMs: number | null;
};

/** Inserts the key and its entry in the directory, which finds a key without its merchant. */
export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<ApiKey> {
  await tx.query(sql`
    insert into api_key_directory (lookup_id, merchant_id, api_key_id)
    values (${key.lookupId}, ${key.merchantId}, ${key.id})`);
  return one(
    await tx.query<ApiKey>(sql`
      insert into api_keys (id, merchant_id, lookup_id, secret_hash, pepper_id, name, scopes, expires_at)
      values (${key.id}, ${key.merchantId}, ${key.lookupId}, ${key.secretHash}, ${key.pepperId}, ${key.name}, ${key.scopes},
        now() + ${milliseconds(key.expiresInMs)})
      returning ${columns}`),
  );
}

/** Usable keys of a merchant that were made under another pepper than this one. */
export async function readKeysOfOtherPepper(
  db: Queryable,
  { merchantId, pepperId }: { merchantId: MerchantId; pepperId: Uint8Array },
): Promise<ApiKey[]> {
  return db.query<ApiKey>(sql`
    select ${columns} from api_keys
    where merchant_id = ${merchantId} and pepper_id is distinct from ${pepperId} and ${isUsable}
    order by id`);
}

/**
 * Returns a usable key, by the database's clock. `validForMs` is `maxAgeMs`, or less if the key expires earlier. On a distributed
 * database the directory names the merchant first, so that the node of no other merchant is queried.
 */
export async function findLiveApiKey(
  db: Queryable,
  { lookupId, maxAgeMs }: { lookupId: string; maxAgeMs: number },
): Promise<LiveApiKey | undefined> {
  if (!isSharded()) return findLive(db, maxAgeMs, keyOfLookupId(lookupId));
  const name = maybeOne(
    await db.query<ApiKeyName>(
      quick(sql`
      select merchant_id as "merchantId", api_key_id as id from api_key_directory where lookup_id = ${lookupId}`),
    ),
  );
  return findLive(db, maxAgeMs, keyOfName(name ?? NO_KEY));
}

/** No key has this name. An unknown id then takes as many statements as a known one. */
const NO_KEY: ApiKeyName = {
  merchantId: idOf("merchant", "00000000-0000-0000-0000-000000000000"),
  id: idOf("apiKey", "00000000-0000-0000-0000-000000000000"),
};

const keyOfLookupId = (lookupId: string) => sql`
  api_key_directory known join api_keys key on key.merchant_id = known.merchant_id and key.id = known.api_key_id
  where known.lookup_id = ${lookupId}`;
const keyOfName = ({ merchantId, id }: ApiKeyName) => sql`
  api_keys key where key.merchant_id ${oneOf([merchantId])} and key.id = ${id}`;

async function findLive(db: Queryable, maxAgeMs: number, key: Sql): Promise<LiveApiKey | undefined> {
  return maybeOne(
    await db.query<LiveApiKey>(
      quick(sql`
      select key.id, key.merchant_id as "merchantId", key.secret_hash as "secretHash", key.scopes,
        floor(least(${maxAgeMs}::float8, extract(epoch from key.expires_at - now()) * 1000))::int4
          as "validForMs",
        coalesce(key.last_used_at < now() - interval '1 minute', true) as "isUseDue"
      from ${key} and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`),
    ),
  );
}

/** Finds the owner of a key id among all merchants. Reads all keys, so it is for operators' commands only. */
export async function findApiKeyOwner(db: Queryable, id: ApiKeyId): Promise<ApiKeyName | undefined> {
  return maybeOne(
    await db.query<ApiKeyName>(sql`
      select merchant_id as "merchantId", api_key_id as id from api_key_directory where api_key_id = ${id}`),
  );
}

/** Writes the time of last use, at most once a minute for all processes. */
export async function recordApiKeyUse(db: Queryable, { merchantId, id }: ApiKeyName): Promise<void> {
  await db.query(sql`
    update api_keys set last_used_at = now()
    where merchant_id = ${merchantId} and id = ${id}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}

/** Locks the key's row; returns whether the key is usable by the database's clock. */
export async function lockApiKey(
  tx: Transaction,
  { merchantId, id }: ApiKeyName,
): Promise<(ApiKey & { isLive: boolean; lifetimeMs: number | null }) | undefined> {
  return maybeOne(
    await tx.query<ApiKey & { isLive: boolean; lifetimeMs: number | null }>(sql`
      select ${columns}, ${isUsable} as "isLive",
        (extract(epoch from expires_at - created_at) * 1000)::float8 as "lifetimeMs"
      from api_keys where merchant_id = ${merchantId} and id = ${id} for no key update`),
  );
}

/** The live keys and then the ended ones, the newest first; as many as can be live. */
export async function listApiKeys(db: Queryable, merchantId: MerchantId): Promise<ApiKey[]> {
  return db.query<ApiKey>(sql`
    select ${columns} from api_keys where merchant_id = ${merchantId}
    order by ${isUsable} desc, created_at desc, id desc limit ${MAX_KEYS}`);
}

/** Revokes the key. A second call keeps the first timestamp. */
export async function markRevoked(
  db: Queryable,
  { merchantId, id }: ApiKeyName,
): Promise<ApiKey | undefined> {
  return maybeOne(
    await db.query<ApiKey>(sql`
      update api_keys set revoked_at = least(revoked_at, now())
      where merchant_id = ${merchantId} and id = ${id} returning ${columns}`),
  );
}

/** Lets the key expire after this time, or at its own earlier expiry. */
export async function shortenLife(tx: Transaction, input: ApiKeyName & { lifeMs: number }): Promise<ApiKey> {
  return one(
    await tx.query<ApiKey>(sql`
      update api_keys set expires_at = least(expires_at, now() + ${milliseconds(input.lifeMs)})
      where merchant_id = ${input.merchantId} and id = ${input.id} returning ${columns}`),
  );
}
