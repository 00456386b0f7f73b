import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { isUniqueViolation } from "@daric/postgres/errors";
import { joinedOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import type { AddressOwner, IssuedAddress } from "./issued-address.ts";

// A distributed database alone reserves addresses: the directory, on every node, names the merchant before there is a charge, and
// no statement changes that row again. A create then writes to the merchant's node alone. The key of that node,
// `deposit_addresses_derivation`, refuses a second charge for the address, and finds the charge.

/** SQL: how many of these addresses the directory has as addresses of this merchant. */
export function countReserved(merchantId: MerchantId, issued: readonly IssuedAddress[]): Sql {
  return sql`(
    select count(*)::integer from address_directory
    where address = any(${issued.map(({ bytes }) => bytes)}::bytea[]) and merchant_id = ${merchantId})`;
}

/** An address that is not reserved for the merchant of the create. */
export class UnreservedError extends Error {
  override readonly name = "UnreservedError";

  constructor() {
    super("the address is not reserved for this merchant");
  }
}

/** Whether a create failed because its address is another charge's, or may be another merchant's. */
export function isUnreserved(error: unknown): boolean {
  return error instanceof UnreservedError || isUniqueViolation(error, "deposit_addresses_derivation");
}

type Owned = Omit<AddressOwner, "merchantId"> & { readonly merchantId: MerchantId };

/** The owners with the charges that the merchants' nodes have for them; null without one. */
export async function withCharges(db: Queryable, owners: readonly AddressOwner[]): Promise<AddressOwner[]> {
  const owned = owners.filter((owner): owner is Owned => owner.merchantId !== null);
  const charges = await byMerchantLists(owned, (list) =>
    db.query<{ bytes: Buffer; chargeId: ChargeId }>(sql`
      select owner.bytes, charge.id as "chargeId"
      from unnest(
        ${list.map(({ bytes }) => bytes)}::bytea[], ${list.map(({ merchantId }) => merchantId)}::uuid[],
        ${list.map(({ accountKeyId }) => accountKeyId)}::uuid[], ${list.map(({ index }) => index)}::bigint[]
      ) as owner (bytes, merchant_id, account_key_id, index)
      join deposit_addresses charge on ${joinedOf(
        sql`charge.merchant_id`,
        list.map(({ merchantId }) => merchantId),
      )} and charge.merchant_id = owner.merchant_id and charge.account_key_id = owner.account_key_id
        and charge.derivation_index = owner.index`),
  );
  const chargeOf = new Map(charges.map(({ bytes, chargeId }) => [bytes.toString("hex"), chargeId]));
  return owners.map((owner) => ({ ...owner, chargeId: chargeOf.get(owner.bytes.toString("hex")) ?? null }));
}
