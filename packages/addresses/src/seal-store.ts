import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

export type UnsealedAddress = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly checkoutToken: string;
  readonly address: string;
  readonly index: bigint;
};

const globallyMarked = (statement: Sql): Sql => globally("addresses-to-seal", statement);

export async function listUnsealed(
  db: Queryable,
  { after, limit }: { after: Pick<UnsealedAddress, "merchantId" | "chargeId"> | undefined; limit: number },
): Promise<UnsealedAddress[]> {
  const isNext = after
    ? sql`(merchant_id, id) > (${after.merchantId}::uuid, ${after.chargeId}::uuid)`
    : sql`true`;
  return db.query(
    globallyMarked(sql`
      select merchant_id as "merchantId", id as "chargeId", checkout_token as "checkoutToken", address,
        derivation_index as index
      from deposit_addresses where address_mac is null and ${isNext}
      order by merchant_id, id limit ${limit}`),
  );
}

export async function saveMacs(
  db: Queryable,
  sealed: readonly (Pick<UnsealedAddress, "merchantId" | "chargeId"> & { readonly mac: Buffer })[],
): Promise<void> {
  await db.query(
    globallyMarked(sql`
      update deposit_addresses charge set address_mac = sealed.mac
      from unnest(
        ${sealed.map(({ merchantId }) => merchantId)}::uuid[], ${sealed.map(({ chargeId }) => chargeId)}::uuid[],
        ${sealed.map(({ mac }) => mac)}::bytea[]) as sealed (merchant_id, id, mac)
      where charge.merchant_id = sealed.merchant_id and charge.id = sealed.id and charge.address_mac is null`),
  );
}

/** Records that an address without a row MAC is wrong from now on. */
export async function saveAllSealed(db: Queryable): Promise<void> {
  await db.query(sql`update deployment set addresses_sealed_at = now() where addresses_sealed_at is null`);
}

/** Whether every address has a MAC under the integrity key. */
export async function areAddressesSealed(db: Queryable): Promise<boolean> {
  const row = one(
    await db.query<{ areSealed: boolean }>(
      sql`select addresses_sealed_at is not null as "areSealed" from deployment`,
    ),
  );
  return row.areSealed;
}
