import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import { chargeMachine } from "@daric/domain/charge";
import { type FixedFees, fixedFeeField } from "@daric/domain/fixed-fee";
import type { MerchantId, SettlementAccountId } from "@daric/domain/ids";
import type { Fee, FeeMode } from "@daric/domain/order";
import {
  column,
  join,
  laterBy,
  literals,
  maybeOne,
  one,
  type Queryable,
  type Sql,
  sql,
} from "@daric/postgres/sql";
import type { ChargeDraft } from "./charge-draft-store.ts";

/** The terms behind a price. The insert freezes the other terms of a charge. */
export type ChargingTerms = {
  /** grows with every change of any of the merchant's terms */
  readonly version: number;
  readonly feeMode: FeeMode;
  /** the operator stopped new charges */
  readonly isSuspended: boolean;
  /** the fee of a charge in each coin */
  readonly fees: Readonly<Record<Currency, Fee>>;
  readonly toleranceBasisPoints: number;
  readonly orderLifetimeSeconds: number;
  readonly openLifetimeSeconds: number;
  readonly lateWindowSeconds: number;
};

type TermsRow = FixedFees & Omit<ChargingTerms, "fees"> & { readonly basisPoints: number };

/** The fixed fee of a `merchant` in a coin. */
const fixedFeeIn = (currency: Sql): Sql => sql`coalesce((merchant.fixed_fees ->> ${currency})::bigint, 0)`;

/** The merchant's fixed fee for a row of the same statement, by its `currency`. */
export const fixedFeeUnits: Sql = fixedFeeIn(sql`currency`);

/** The columns of a `TermsRow`, of a `merchant`. */
const TERMS_COLUMNS: Sql = sql`
  merchant.terms_version as "version", merchant.fee_mode as "feeMode", merchant.fee_basis_points as "basisPoints",
  merchant.suspended_at is not null as "isSuspended",
  merchant.underpayment_tolerance_basis_points as "toleranceBasisPoints",
  merchant.order_lifetime_seconds as "orderLifetimeSeconds", merchant.open_lifetime_seconds as "openLifetimeSeconds",
  merchant.late_window_seconds as "lateWindowSeconds",
  ${join(currencies.map((code) => sql`${fixedFeeIn(literals(code))} as ${column(fixedFeeField(code))}`))}`;

function toTerms({ basisPoints, ...row }: TermsRow): ChargingTerms {
  const fees = perCurrency((currency): Fee => ({ basisPoints, fixed: row[fixedFeeField(currency)] }));
  return { ...row, fees };
}

export async function readTerms(db: Queryable, merchantId: MerchantId): Promise<ChargingTerms> {
  const row = one(
    await db.query<TermsRow>(
      sql`select ${TERMS_COLUMNS} from merchants merchant where merchant.id = ${merchantId}`,
    ),
  );
  return toTerms(row);
}

/** A draft that may expire, after its own lifetime or the merchant's. */
type ExpiringDraft = Pick<ChargeDraft, "kind" | "lifetimeSeconds" | "click">;

/**
 * Takes room under the merchant's cap for those of these charges that expire, and returns the present terms. Undefined without
 * room, and before the merchant's first charge.
 */
export async function takeRoom(
  db: Queryable,
  merchantId: MerchantId,
  { drafts, from }: { drafts: readonly ExpiringDraft[]; from: Date },
): Promise<ChargingTerms | undefined> {
  const expiring = drafts
    .filter(({ kind }) => kind !== "receive")
    .toSorted((left, right) => (left.kind < right.kind ? -1 : 1));
  if (expiring.length === 0) {
    const counted = await db.query<TermsRow>(sql`
      select ${TERMS_COLUMNS} from merchants merchant join active_charge_counts load on load.merchant_id = merchant.id
      where merchant.id = ${merchantId} and load.merchant_id = ${merchantId}`);
    return counted.map(toTerms)[0];
  }
  const counting = expiring.filter(({ click }) => click === undefined).length;
  const usual = expiring
    .filter(({ lifetimeSeconds }) => lifetimeSeconds === undefined)
    .map(({ kind }) => kind);
  const own = expiring.flatMap(({ lifetimeSeconds }) => lifetimeSeconds ?? []);
  const lifetimes = [
    ...[...new Set(usual)].map((kind) => sql`merchant.${column(`${kind}_lifetime_seconds`)}`),
    ...(own.length === 0 ? [] : [sql`${Math.min(...own)}::integer`]),
  ];
  const firstEnd = laterBy(sql`${from}::timestamptz`, sql`interval '1 second' * least(${join(lifetimes)})`);
  const row = maybeOne(
    await db.query<TermsRow>(sql`
      update active_charge_counts load
      set active = load.active + ${counting}::bigint, expires_from = least(load.expires_from, ${firstEnd})
      from merchants merchant
      where load.merchant_id = ${merchantId} and merchant.id = ${merchantId}
        and (${counting} = 0 or load.active + ${counting}::bigint <= merchant.active_address_cap)
      returning ${TERMS_COLUMNS}`),
  );
  return row && toTerms(row);
}

/**
 * The condition that a charge waits for money until its expiry. Standing addresses and rows past it do not.
 */
export const hasYetToExpire: Sql = sql`
  status = ${literals(chargeMachine.initial)} and expires_at is not null
  and expires_at > greatest(statement_timestamp(), (select max(time) from scan_cursors))`;

/** The condition that a charge counts against the cap. Orders of payment links have limits of their own. */
export const countsAgainstCap: Sql = sql`payment_link_id is null and ${hasYetToExpire}`;

/** Whether fewer charges than the merchant's cap count against it now. */
export async function isBelowCap(db: Queryable, merchantId: MerchantId): Promise<boolean> {
  return one(
    await db.query<{ isBelow: boolean }>(sql`
      select active_address_cap > (
        select count(*) from deposit_addresses where merchant_id = ${merchantId} and ${countsAgainstCap}
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
