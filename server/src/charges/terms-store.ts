import { literals, maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { chargeMachine } from "../domain/charge.ts";
import type { MerchantId, SettlementAccountId } from "../domain/ids.ts";
import { amountIn, type Currency } from "../domain/money.ts";
import type { Fee, FeeMode } from "../domain/order.ts";

const ACTIVE = literals(chargeMachine.initial);

/** What a merchant's charges are made under, as it stands at this moment. */
export type ChargingTerms = {
  readonly feeMode: FeeMode;
  readonly feeBasisPoints: number;
  readonly feeFixedUsdtUnits: bigint;
  readonly feeFixedTrxUnits: bigint;
  readonly orderLifetimeSeconds: number;
  readonly openLifetimeSeconds: number;
  readonly lateWindowSeconds: number;
  readonly toleranceBasisPoints: number;
  readonly activeAddressCap: number;
};

/** The merchant's fee for charges in this currency. */
export function feeOf<C extends Currency>(terms: ChargingTerms, currency: C): Fee<C> {
  const fixedUnits = currency === "USDT" ? terms.feeFixedUsdtUnits : terms.feeFixedTrxUnits;
  return { basisPoints: terms.feeBasisPoints, fixed: amountIn(currency, fixedUnits) };
}

/**
 * How creates of one merchant stand to each other: `shared` ones run side by side, an `exclusive` one alone, after
 * those under way and before those that follow.
 */
export type MerchantLock = "shared" | "exclusive";

/**
 * Reads the merchant's terms and holds its row in this transaction. Neither lock makes those wait who only refer to
 * the merchant, like a block that stores its deposits.
 */
export async function lockMerchantTerms(
  tx: Transaction,
  merchantId: MerchantId,
  lock: MerchantLock,
): Promise<ChargingTerms> {
  return one(
    await tx.query<ChargingTerms>(sql`
      select fee_mode as "feeMode", fee_basis_points as "feeBasisPoints",
        fee_fixed_usdt_units as "feeFixedUsdtUnits", fee_fixed_trx_units as "feeFixedTrxUnits",
        order_lifetime_seconds as "orderLifetimeSeconds", open_lifetime_seconds as "openLifetimeSeconds",
        late_window_seconds as "lateWindowSeconds",
        underpayment_tolerance_basis_points as "toleranceBasisPoints", active_address_cap as "activeAddressCap"
      from merchants where id = ${merchantId} ${lock === "shared" ? sql`for share` : sql`for no key update`}`),
  );
}

/**
 * Whether the active charges are so far below `cap` that every transaction which may be under way can add one. The
 * number comes from the counters of the list: all rows that are ACTIVE, also those past `expires_at` that the
 * watcher has not expired yet, so it is never too low.
 */
export async function isFarBelowCap(tx: Transaction, merchantId: MerchantId, cap: number): Promise<boolean> {
  return one(
    await tx.query<{ isFarBelow: boolean }>(sql`
      select coalesce(sum(rows), 0) < ${cap} - current_setting('max_connections')::integer as "isFarBelow"
      from list_counts
      where list = 'deposit_addresses' and merchant_id = ${merchantId}
        and facets in (array['order', ${ACTIVE}, 'tron'], array['open', ${ACTIVE}, 'tron'])`),
  ).isFarBelow;
}

/** Whether fewer than `cap` charges count as active. Reusable addresses and rows past `expires_at` do not count. */
export async function isBelowCap(tx: Transaction, merchantId: MerchantId, cap: number): Promise<boolean> {
  return one(
    await tx.query<{ isBelow: boolean }>(sql`
      select count(*) < ${cap} as "isBelow"
      from deposit_addresses
      where merchant_id = ${merchantId} and status = ${ACTIVE} and kind <> 'receive'
        and expires_at > greatest(now(), (select max(time) from scan_cursors))`),
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

/** The active settlement account that is used where none is named: the default, else the oldest. */
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

/** Makes those who create the receive address of one account wait for each other. */
export async function lockSettlementAccount(tx: Transaction, id: SettlementAccountId): Promise<void> {
  await tx.query(sql`select id from settlement_accounts where id = ${id} for no key update`);
}
