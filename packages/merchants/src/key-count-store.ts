import type { MerchantId } from "@daric/domain/ids";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** A merchant has at most so many keys that are live. */
export const MAX_KEYS = 1_000;
/** SQL condition: the key is neither revoked nor expired. */
export const isUsable: Sql = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

/** Whether a merchant has all live keys that it can have. */
export async function isFullOfKeys(db: Queryable, merchantId: MerchantId): Promise<boolean> {
  const rows = await db.query(sql`
    select from api_keys where merchant_id = ${merchantId} and ${isUsable} offset ${MAX_KEYS - 1} limit 1`);
  return rows.length > 0;
}

/** The number of API keys that were used within a week and expire within two weeks. A key that was made anew does not count. */
export async function countExpiringKeys(db: Queryable): Promise<number> {
  const { count } = one(
    await db.query<{ count: number }>(
      globally(
        "expiring-keys",
        sql`
          select count(*)::integer as count from api_keys key
          where revoked_at is null and expires_at > now() and expires_at < now() + interval '14 days'
            and last_used_at > now() - interval '7 days' and not exists (
              select from api_keys newer
              where newer.merchant_id = key.merchant_id and newer.created_at > key.created_at
                and newer.name is not distinct from key.name and newer.scopes = key.scopes and newer.revoked_at is null
                and (newer.expires_at is null or newer.expires_at > key.expires_at))`,
      ),
    ),
  );
  return count;
}
