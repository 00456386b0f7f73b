import { maybeOne, one, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";
import { amountIn } from "../domain/money.ts";
import { globally } from "../runtime/global-statements.ts";
import type { MerchantTerms } from "./merchant-terms.ts";

export type Merchant = MerchantTerms & {
  readonly id: MerchantId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type MerchantRow = Omit<Merchant, "feeFixedUsdt" | "feeFixedTrx"> & {
  readonly feeFixedUsdtUnits: bigint;
  readonly feeFixedTrxUnits: bigint;
};

const columns = sql`
  id, name, logo_url as "logoUrl", logo_id as "logoId", support_email as "supportEmail",
  support_url as "supportUrl", accent_color as "accentColor", fee_mode as "feeMode",
  fee_basis_points as "feeBasisPoints", fee_fixed_usdt_units as "feeFixedUsdtUnits",
  fee_fixed_trx_units as "feeFixedTrxUnits", order_lifetime_seconds as "orderLifetimeSeconds",
  open_lifetime_seconds as "openLifetimeSeconds", late_window_seconds as "lateWindowSeconds",
  underpayment_tolerance_basis_points as "toleranceBasisPoints", active_address_cap as "activeAddressCap",
  created_at as "createdAt", updated_at as "updatedAt"`;

function merchantOf({ feeFixedUsdtUnits, feeFixedTrxUnits, ...row }: MerchantRow): Merchant {
  return {
    ...row,
    feeFixedUsdt: amountIn("USDT", feeFixedUsdtUnits),
    feeFixedTrx: amountIn("TRX", feeFixedTrxUnits),
  };
}

export async function insertMerchant(
  db: Queryable,
  merchant: MerchantTerms & { id: MerchantId },
): Promise<Merchant> {
  const row = one(
    await db.query<MerchantRow>(sql`
      insert into merchants (
        id, name, logo_url, logo_id, support_email, support_url,
        accent_color, fee_mode, fee_basis_points, fee_fixed_usdt_units, fee_fixed_trx_units,
        order_lifetime_seconds, open_lifetime_seconds, late_window_seconds, underpayment_tolerance_basis_points,
        active_address_cap)
      values (
        ${merchant.id}, ${merchant.name}, ${merchant.logoUrl}, ${merchant.logoId}, ${merchant.supportEmail},
        ${merchant.supportUrl}, ${merchant.accentColor}, ${merchant.feeMode},
        ${merchant.feeBasisPoints}, ${merchant.feeFixedUsdt}, ${merchant.feeFixedTrx},
        ${merchant.orderLifetimeSeconds}, ${merchant.openLifetimeSeconds}, ${merchant.lateWindowSeconds},
        ${merchant.toleranceBasisPoints}, ${merchant.activeAddressCap})
      returning ${columns}`),
  );
  return merchantOf(row);
}

/** Updates the given terms; null removes a value. Undefined if the merchant does not exist. */
export async function updateMerchantTerms(
  db: Queryable,
  id: MerchantId,
  terms: Partial<MerchantTerms>,
): Promise<Merchant | undefined> {
  const row = maybeOne(
    await db.query<MerchantRow>(sql`
      update merchants set
        name = coalesce(${terms.name ?? null}, name),
        logo_url = ${unlessLeft(terms.logoUrl, sql`logo_url`)},
        logo_id = ${unlessLeft(terms.logoId, sql`logo_id`)},
        support_email = ${unlessLeft(terms.supportEmail, sql`support_email`)},
        support_url = ${unlessLeft(terms.supportUrl, sql`support_url`)},
        accent_color = coalesce(${terms.accentColor ?? null}, accent_color),
        fee_mode = coalesce(${terms.feeMode ?? null}, fee_mode),
        fee_basis_points = coalesce(${terms.feeBasisPoints ?? null}, fee_basis_points),
        fee_fixed_usdt_units = coalesce(${terms.feeFixedUsdt ?? null}, fee_fixed_usdt_units),
        fee_fixed_trx_units = coalesce(${terms.feeFixedTrx ?? null}, fee_fixed_trx_units),
        order_lifetime_seconds = coalesce(${terms.orderLifetimeSeconds ?? null}, order_lifetime_seconds),
        open_lifetime_seconds = coalesce(${terms.openLifetimeSeconds ?? null}, open_lifetime_seconds),
        late_window_seconds = coalesce(${terms.lateWindowSeconds ?? null}, late_window_seconds),
        underpayment_tolerance_basis_points =
          coalesce(${terms.toleranceBasisPoints ?? null}, underpayment_tolerance_basis_points),
        active_address_cap = coalesce(${terms.activeAddressCap ?? null}, active_address_cap),
        terms_version = terms_version + 1,
        updated_at = now()
      where id = ${id} returning ${columns}`),
  );
  return row && merchantOf(row);
}

/** The new value of a nullable column: undefined keeps it. */
function unlessLeft(given: string | null | undefined, column: Sql): Sql {
  return given === undefined ? column : sql`${given}`;
}

export async function findMerchant(db: Queryable, id: MerchantId): Promise<Merchant | undefined> {
  const row = maybeOne(await db.query<MerchantRow>(sql`select ${columns} from merchants where id = ${id}`));
  return row && merchantOf(row);
}

export async function listMerchants(db: Queryable): Promise<Merchant[]> {
  const rows = await db.query<MerchantRow>(
    globally("merchant-list", sql`select ${columns} from merchants order by created_at desc, id desc`),
  );
  return rows.map(merchantOf);
}

/** Locks the merchant's row, which serializes changes of its accounts. False if it does not exist. */
export async function lockMerchant(tx: Transaction, id: MerchantId): Promise<boolean> {
  const row = maybeOne(
    await tx.query<{ id: MerchantId }>(sql`select id from merchants where id = ${id} for no key update`),
  );
  return row !== undefined;
}
