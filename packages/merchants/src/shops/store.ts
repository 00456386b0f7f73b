import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { maybeOne, milliseconds, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

const isOpen = sql`used_at is null and expires_at > now()`;

/** Stores the code of a merchant in the place of the one before. Returns when it ends. */
export async function storeShopCode(
  tx: Queryable,
  code: {
    readonly merchantId: MerchantId;
    readonly hash: Buffer;
    readonly madeBy: PersonId;
    readonly lifeMs: number;
  },
): Promise<Date> {
  const rows = await tx.query<{ expiresAt: Date }>(sql`
    insert into shop_codes (merchant_id, code_hash, made_by, expires_at)
    values (${code.merchantId}, ${code.hash}, ${code.madeBy}, now() + ${milliseconds(code.lifeMs)})
    on conflict (merchant_id) do update set code_hash = excluded.code_hash, made_by = excluded.made_by,
      expires_at = excluded.expires_at, used_at = null
    returning expires_at as "expiresAt"`);
  return one(rows).expiresAt;
}

/** The merchant of an open code. */
export async function findMerchantOfShopCode(db: Queryable, hash: Buffer): Promise<MerchantId | undefined> {
  const rows = await db.query<{ merchantId: MerchantId }>(sql`
    select merchant_id as "merchantId" from shop_codes where code_hash = ${hash} and ${isOpen}`);
  return maybeOne(rows)?.merchantId;
}

/** Uses an open code up. Only one of two simultaneous uses gets its maker, and the role that the maker has now. */
export async function takeShopCode(
  tx: Transaction,
  hash: Buffer,
): Promise<{ readonly madeBy: PersonId; readonly role: MerchantRole | null } | undefined> {
  return maybeOne(
    await tx.query<{ madeBy: PersonId; role: MerchantRole | null }>(sql`
      update shop_codes code set used_at = now() where code_hash = ${hash} and ${isOpen}
      returning made_by as "madeBy", (
        select role from memberships member join people person on person.id = member.person_id
        where member.merchant_id = code.merchant_id and person.id = code.made_by and person.disabled_at is null) as role`),
  );
}
