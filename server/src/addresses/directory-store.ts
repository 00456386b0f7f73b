import { isUniqueViolation } from "@daric/postgres/errors";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { ChargeId, MerchantId } from "../domain/ids.ts";

/** Whom an address belongs to; nobody where it was derived and is watched without a merchant. */
export type AddressOwner = {
  /** the 20 bytes of the address */
  readonly hash: Buffer;
  readonly merchantId: MerchantId | null;
  readonly chargeId: ChargeId | null;
};

/**
 * Part of a statement that stores charges: a data-modifying CTE's text that says whom their addresses belong to. `rows`
 * is a query of (address, merchant_id, charge_id, account_key_id, derivation_index), the address as its 20 bytes. The
 * statement fails with what {@link isAddressTaken} knows where one of them is in the directory already.
 */
export function issuedInDirectory(rows: Sql): Sql {
  return sql`
    insert into address_directory (address, merchant_id, charge_id, account_key_id, derivation_index) ${rows}`;
}

/** Whether a statement failed, and wrote nothing, because an address is in the directory already. */
export function isAddressTaken(error: unknown): boolean {
  return isUniqueViolation(error, "address_directory_pkey");
}

/** Whether an address was ever issued to a merchant. */
export async function hasIssued(db: Queryable): Promise<boolean> {
  const { has } = one(
    await db.query<{ has: boolean }>(
      sql`select exists (select from address_directory where merchant_id is not null) as has`,
    ),
  );
  return has;
}

/** The owners of those of these addresses (20 bytes each) that are in the directory. */
export async function findOwners(db: Queryable, hashes: readonly Buffer[]): Promise<AddressOwner[]> {
  return db.query(sql`
    select address as hash, merchant_id as "merchantId", charge_id as "chargeId"
    from address_directory where address = any(${hashes}::bytea[])`);
}
