import { column, join, literals, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { type Currency, currencies, perCurrency } from "../domain/asset.ts";
import { chargeMachine } from "../domain/charge.ts";
import { type FixedFees, fixedFeeColumn, fixedFeeField } from "../domain/fixed-fee.ts";
import type { MerchantId, SettlementAccountId } from "../domain/ids.ts";
import type { Fee, FeeMode } from "../domain/order.ts";

/** The terms behind a price. The insert freezes the other terms of a charge. */
export type ChargingTerms = {
  /** grows with every change of any of the merchant's terms */
  readonly version: number;
  readonly feeMode: FeeMode;
  /** the operator stopped new charges */
  readonly isSuspended: boolean;
  /** the fee of a charge in each coin */
  readonly fees: Readonly<Record<Currency, Fee>>;
};

type TermsRow = FixedFees &
  Pick<ChargingTerms, "version" | "feeMode" | "isSuspended"> & { readonly basisPoints: number };

/** The merchant's fixed fee for a row of the same statement, by its `currency`. */
export const fixedFeeUnits: Sql = sql`case currency ${join(
  currencies.map((code) => sql`when ${literals(code)} then merchant.${column(fixedFeeColumn(code))}`),
  " ",
)} end`;

export async function readTerms(db: Queryable, merchantId: MerchantId): Promise<ChargingTerms> {
  const { version, feeMode, isSuspended, basisPoints, ...row } = one(
    await db.query<TermsRow>(sql`
      select terms_version as "version", fee_mode as "feeMode", fee_basis_points as "basisPoints",
        suspended_at is not null as "isSuspended",
        ${join(currencies.map((code) => sql`${column(fixedFeeColumn(code))} as ${column(fixedFeeField(code))}`))}
      from merchants where id = ${merchantId}`),
  );
  const fees = perCurrency((currency): Fee => ({ basisPoints, fixed: row[fixedFeeField(currency)] }));
  return { version, feeMode, isSuspended, fees };
}

/**
 * The condition that a charge counts against the cap. Standing addresses and rows past their expiry do not.
 */
export const hasYetToExpire: Sql = sql`
  status = ${literals(chargeMachine.initial)} and expires_at is not null
  and expires_at > greatest(statement_timestamp(), (select max(time) from scan_cursors))`;

/** Whether fewer charges than the merchant's cap count against it now. */
export async function isBelowCap(db: Queryable, merchantId: MerchantId): Promise<boolean> {
  return one(
    await db.query<{ isBelow: boolean }>(sql`
      select active_address_cap > (
        select count(*) from deposit_addresses where merchant_id = ${merchantId} and ${hasYetToExpire}
      ) as "isBelow"
      from merchants where id = ${merchantId}`),
  ).isBelow;
}

export type SettlementAccountState = { readonly id: SettlementAccountId; readonly isActive: boolean };

/** A settlement account by id, if it is the merchant's. */
export async function findSettlementAccountState(
  db: Queryable,
  input: { merchantId: MerchantId; id: SettlementAccountId },
): Promise<SettlementAccountState | undefined> {
  return maybeOne(
    await db.query<SettlementAccountState>(sql`
      select id, status = 'active' as "isActive" from settlement_accounts
      where id = ${input.id} and merchant_id = ${input.merchantId}`),
  );
}

/** The active settlement account of charges that name none: the default, else the oldest. */
export async function findDefaultSettlementAccount(
  db: Queryable,
  merchantId: MerchantId,
): Promise<SettlementAccountState | undefined> {
  return maybeOne(
    await db.query<SettlementAccountState>(sql`
      select id, true as "isActive" from settlement_accounts
      where merchant_id = ${merchantId} and status = 'active'
      order by is_default desc, created_at, id limit 1`),
  );
}
