import {
  column,
  join,
  maybeOne,
  one,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { type Currency, currencies } from "../domain/asset.ts";
import { type FixedFees, fixedFeeColumn, fixedFeeField } from "../domain/fixed-fee.ts";
import type { MerchantId } from "../domain/ids.ts";
import { globally } from "../runtime/global-statements.ts";
import type { MerchantTerms } from "./merchant-terms.ts";

export type Merchant = MerchantTerms & {
  readonly id: MerchantId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const feeColumn = (currency: Currency): Sql => column(fixedFeeColumn(currency));
const shownFees = join(currencies.map((coin) => sql`${feeColumn(coin)} as ${column(fixedFeeField(coin))}`));

const columns = sql`
  id, name, logo_url as "logoUrl", logo_id as "logoId", support_email as "supportEmail",
  support_url as "supportUrl", accent_color as "accentColor", fee_mode as "feeMode",
  fee_basis_points as "feeBasisPoints", ${shownFees}, order_lifetime_seconds as "orderLifetimeSeconds",
  open_lifetime_seconds as "openLifetimeSeconds", late_window_seconds as "lateWindowSeconds",
  underpayment_tolerance_basis_points as "toleranceBasisPoints", active_address_cap as "activeAddressCap",
  created_at as "createdAt", updated_at as "updatedAt"`;

export async function insertMerchant(
  db: Queryable,
  merchant: MerchantTerms & { id: MerchantId },
): Promise<Merchant> {
  return one(
    await db.query<Merchant>(sql`
      insert into merchants (
        id, name, logo_url, logo_id, support_email, support_url,
        accent_color, fee_mode, fee_basis_points, ${join(currencies.map(feeColumn))},
        order_lifetime_seconds, open_lifetime_seconds, late_window_seconds, underpayment_tolerance_basis_points,
        active_address_cap)
      values (
        ${merchant.id}, ${merchant.name}, ${merchant.logoUrl}, ${merchant.logoId}, ${merchant.supportEmail},
        ${merchant.supportUrl}, ${merchant.accentColor}, ${merchant.feeMode},
        ${merchant.feeBasisPoints}, ${join(currencies.map((currency) => sql`${merchant[fixedFeeField(currency)]}`))},
        ${merchant.orderLifetimeSeconds}, ${merchant.openLifetimeSeconds}, ${merchant.lateWindowSeconds},
        ${merchant.toleranceBasisPoints}, ${merchant.activeAddressCap})
      returning ${columns}`),
  );
}

/** Updates the given terms; null removes a value. Undefined if the merchant does not exist. */
export async function updateMerchantTerms(
  db: Queryable,
  id: MerchantId,
  terms: Partial<MerchantTerms>,
): Promise<Merchant | undefined> {
  return maybeOne(
    await db.query<Merchant>(sql`
      update merchants set
        name = coalesce(${terms.name ?? null}, name),
        logo_url = ${unlessLeft(terms.logoUrl, sql`logo_url`)},
        logo_id = ${unlessLeft(terms.logoId, sql`logo_id`)},
        support_email = ${unlessLeft(terms.supportEmail, sql`support_email`)},
        support_url = ${unlessLeft(terms.supportUrl, sql`support_url`)},
        accent_color = coalesce(${terms.accentColor ?? null}, accent_color),
        fee_mode = coalesce(${terms.feeMode ?? null}, fee_mode),
        fee_basis_points = coalesce(${terms.feeBasisPoints ?? null}, fee_basis_points),
        ${join(currencies.map((currency) => changedFee(currency, terms)))},
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
}

function changedFee(currency: Currency, terms: Partial<FixedFees>): Sql {
  const name = feeColumn(currency);
  return sql`${name} = coalesce(${terms[fixedFeeField(currency)] ?? null}, ${name})`;
}

/** The new value of a nullable column: undefined keeps it. */
function unlessLeft(given: string | null | undefined, column: Sql): Sql {
  return given === undefined ? column : sql`${given}`;
}

export async function findMerchant(db: Queryable, id: MerchantId): Promise<Merchant | undefined> {
  return maybeOne(await db.query<Merchant>(sql`select ${columns} from merchants where id = ${id}`));
}

export async function listMerchants(db: Queryable): Promise<Merchant[]> {
  return db.query<Merchant>(
    globally("merchant-list", sql`select ${columns} from merchants order by created_at desc, id desc`),
  );
}

/** Locks the merchant's row, which serializes changes of its accounts. False if it does not exist. */
export async function lockMerchant(tx: Transaction, id: MerchantId): Promise<boolean> {
  const row = maybeOne(
    await tx.query<{ id: MerchantId }>(sql`select id from merchants where id = ${id} for no key update`),
  );
  return row !== undefined;
}
