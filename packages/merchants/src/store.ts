import { currencies } from "@daric/domain/asset";
import { type FixedFeeField, type FixedFees, fixedFeeField } from "@daric/domain/fixed-fee";
import type { MerchantId } from "@daric/domain/ids";
import {
  column,
  empty,
  join,
  literals,
  maybeOne,
  one,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { MerchantTerms } from "./merchant-terms.ts";

export type Merchant = MerchantTerms & {
  readonly id: MerchantId;
  /** the support address that its reader confirmed; it counts while it is `supportEmail` */
  readonly confirmedSupportEmail: string | null;
  /** since when it takes no new charges; null while it does */
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const shownFees = join(
  currencies.map(
    (coin) => sql`coalesce((fixed_fees ->> ${literals(coin)})::bigint, 0) as ${column(fixedFeeField(coin))}`,
  ),
);

/** The given fixed fees as JSON, which PostgreSQL builds: units may exceed a number of JavaScript. Undefined without any. */
function fixedFeesOf(terms: Partial<FixedFees>): Sql | undefined {
  const given = currencies.flatMap((coin) => {
    const units = terms[fixedFeeField(coin)];
    return units === undefined ? [] : [sql`${literals(coin)}, ${units}::bigint`];
  });
  return given.length === 0 ? undefined : sql`jsonb_build_object(${join(given)})`;
}

const columns = sql`
  id, name, logo_url as "logoUrl", logo_id as "logoId", support_email as "supportEmail",
  confirmed_support_email as "confirmedSupportEmail",
  support_url as "supportUrl", accent_color as "accentColor",
  checkout_languages as "checkoutLanguages", embed_origins as "embedOrigins", fee_mode as "feeMode",
  fee_basis_points as "feeBasisPoints", ${shownFees}, order_lifetime_seconds as "orderLifetimeSeconds",
  open_lifetime_seconds as "openLifetimeSeconds", late_window_seconds as "lateWindowSeconds",
  underpayment_tolerance_basis_points as "toleranceBasisPoints", active_address_cap as "activeAddressCap",
  legal_name as "legalName", legal_address as "legalAddress", tax_id as "taxId", time_zone as "timeZone",
  book_currency as "bookCurrency", account_codes as "accountCodes",
  suspended_at as "suspendedAt", created_at as "createdAt", updated_at as "updatedAt"`;

/**
 * Inserts a merchant with these terms; missing ones get the defaults of their columns. The statement names only the
 * given fees, because the service's role may not write any.
 */
export async function insertMerchant(
  db: Queryable,
  { id, ...terms }: Partial<MerchantTerms> & { readonly id: MerchantId; readonly name: string },
): Promise<Merchant> {
  const given = <T>(value: T | undefined) => (value === undefined ? sql`default` : sql`${value}`);
  const { feeBasisPoints } = terms;
  const fixedFees = fixedFeesOf(terms);
  const fees = [
    ...(feeBasisPoints === undefined ? [] : [{ name: sql`fee_basis_points`, value: sql`${feeBasisPoints}` }]),
    ...(fixedFees === undefined ? [] : [{ name: sql`fixed_fees`, value: fixedFees }]),
  ];
  return one(
    await db.query<Merchant>(sql`
      insert into merchants (
        id, name, logo_url, logo_id, support_email, support_url, accent_color, checkout_languages, embed_origins, fee_mode,
        order_lifetime_seconds, open_lifetime_seconds, late_window_seconds, underpayment_tolerance_basis_points, active_address_cap,
        legal_name, legal_address, tax_id, time_zone, book_currency, account_codes
        ${listed(fees.map(({ name }) => name))})
      values (
        ${id}, ${terms.name}, ${given(terms.logoUrl)}, ${given(terms.logoId)}, ${given(terms.supportEmail)},
        ${given(terms.supportUrl)}, ${given(terms.accentColor)}, ${given(terms.checkoutLanguages)}, ${given(terms.embedOrigins)}, ${given(terms.feeMode)},
        ${given(terms.orderLifetimeSeconds)}, ${given(terms.openLifetimeSeconds)}, ${given(terms.lateWindowSeconds)},
        ${given(terms.toleranceBasisPoints)}, ${given(terms.activeAddressCap)},
        ${given(terms.legalName)}, ${given(terms.legalAddress)}, ${given(terms.taxId)}, ${given(terms.timeZone)},
        ${given(terms.bookCurrency)}, ${given(terms.accountCodes)}
        ${listed(fees.map(({ value }) => value))})
      returning ${columns}`),
  );
}

/** These after others, with a comma before each. */
function listed(columns: readonly Sql[]): Sql {
  return columns.length === 0 ? empty : sql`, ${join(columns)}`;
}

/**
 * The assignment of each term but fixed fees. The service's role may write only some of them, so a statement assigns only what it
 * changes.
 */
const assignments: Readonly<Record<Exclude<keyof MerchantTerms, FixedFeeField>, Sql>> = {
  name: sql`name = `,
  logoUrl: sql`logo_url = `,
  logoId: sql`logo_id = `,
  supportEmail: sql`support_email = `,
  supportUrl: sql`support_url = `,
  accentColor: sql`accent_color = `,
  checkoutLanguages: sql`checkout_languages = `,
  embedOrigins: sql`embed_origins = `,
  feeMode: sql`fee_mode = `,
  feeBasisPoints: sql`fee_basis_points = `,
  orderLifetimeSeconds: sql`order_lifetime_seconds = `,
  openLifetimeSeconds: sql`open_lifetime_seconds = `,
  lateWindowSeconds: sql`late_window_seconds = `,
  toleranceBasisPoints: sql`underpayment_tolerance_basis_points = `,
  activeAddressCap: sql`active_address_cap = `,
  legalName: sql`legal_name = `,
  legalAddress: sql`legal_address = `,
  taxId: sql`tax_id = `,
  timeZone: sql`time_zone = `,
  bookCurrency: sql`book_currency = `,
  accountCodes: sql`account_codes = `,
};

/** Updates the given terms; null removes a value. Undefined if the merchant does not exist. */
export async function updateMerchantTerms(
  db: Queryable,
  id: MerchantId,
  terms: Partial<MerchantTerms>,
): Promise<Merchant | undefined> {
  const changes = Object.entries(assignments).flatMap(([term, assignment]) => {
    const value = terms[term as keyof typeof assignments];
    return value === undefined ? [] : [sql`${assignment}${value},`];
  });
  const fixedFees = fixedFeesOf(terms);
  const fees = fixedFees === undefined ? [] : [sql`fixed_fees = fixed_fees || ${fixedFees},`];
  const set = join([...changes, ...fees, sql`terms_version = terms_version + 1,`], " ");
  return maybeOne(
    await db.query<Merchant>(sql`
      update merchants set ${set} updated_at = now() where id = ${id} returning ${columns}`),
  );
}

/** Notes that the reader of the support address confirmed it; false if the merchant has another one. It is no change of the settings' form. */
export async function storeConfirmedSupportEmail(
  db: Queryable,
  id: MerchantId,
  address: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update merchants set confirmed_support_email = ${address} where id = ${id} and support_email = ${address} returning id`);
  return rows.length === 1;
}

/** Suspends a merchant, or ends the suspension; undefined if the merchant does not exist. */
export async function storeSuspended(
  tx: Transaction,
  id: MerchantId,
  isSuspended: boolean,
): Promise<Merchant | undefined> {
  return maybeOne(
    await tx.query<Merchant>(sql`
      update merchants set terms_version = terms_version + 1, updated_at = now(),
        suspended_at = case when ${isSuspended}::boolean then coalesce(suspended_at, clock.now) end
      from (select now() as now) clock
      where id = ${id} returning ${columns}`),
  );
}

export async function findMerchant(db: Queryable, id: MerchantId): Promise<Merchant | undefined> {
  return maybeOne(await db.query<Merchant>(sql`select ${columns} from merchants where id = ${id}`));
}

/** All merchants, the newest first; or with `limit` so many of them behind `after`. */
export async function listMerchants(
  db: Queryable,
  { limit = null, after = null }: { readonly limit?: number | null; readonly after?: string | null } = {},
): Promise<Merchant[]> {
  return db.query<Merchant>(
    globally(
      "merchant-list",
      sql`
        select ${columns} from merchants
        where ${after}::uuid is null
          or (created_at, id) < (select created_at, id from merchants where id = ${after}::uuid)
        order by created_at desc, id desc limit ${limit}`,
    ),
  );
}

/** Locks the merchant's row, which serializes changes of its accounts. False if it does not exist. */
export async function lockMerchant(tx: Transaction, id: MerchantId): Promise<boolean> {
  const row = maybeOne(
    await tx.query<{ id: MerchantId }>(sql`select id from merchants where id = ${id} for no key update`),
  );
  return row !== undefined;
}
