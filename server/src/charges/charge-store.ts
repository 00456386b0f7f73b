import { literals, maybeOne, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { ChargeKind, ChargeStatus } from "../domain/charge.ts";
import { depositMachine, dustBelow, openDepositStatuses } from "../domain/deposit.ts";
import type { ApiKeyId, ChargeId, DepositId, MerchantId, SettlementAccountId } from "../domain/ids.ts";
import type { Currency } from "../domain/money.ts";
import type { FeeMode } from "../domain/order.ts";

/** What a charge says of itself in the same words in the database and in the code. */
export type ChargeFacts = {
  readonly id: ChargeId;
  readonly merchantId: MerchantId;
  readonly kind: ChargeKind;
  readonly address: string;
  readonly chain: "tron";
  readonly currency: Currency;
  readonly status: ChargeStatus;
  readonly feeMode: FeeMode;
  readonly fiatCurrency: "USD" | null;
  readonly fiatAmount: string | null;
  readonly orderRef: string | null;
  readonly label: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly settlementAccountId: SettlementAccountId | null;
  readonly apiKeyId: ApiKeyId | null;
  readonly checkoutToken: string;
  readonly expiresAt: Date | null;
  readonly lateUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** a deposit above dust is CONFIRMING, STUCK or REORG_PENDING */
  readonly hasConfirming: boolean;
  /** a deposit above dust is DETECTED */
  readonly hasDetected: boolean;
};

/** A charge as the database has it: its row, its newest quote and what its matching deposits add up to. */
export type ChargeRow = ChargeFacts & {
  readonly feeBasisPoints: number;
  readonly feeFixedUnits: bigint;
  readonly toleranceBasisPoints: number;
  readonly expectedUnits: bigint | null;
  readonly payUnits: bigint | null;
  readonly rateE4: bigint | null;
  readonly quoteSource: string | null;
  readonly quoteExpiresAt: Date | null;
  /** Sums are numeric, as text: many deposits can add up to more than a bigint column holds. */
  readonly confirmedOnTimeUnits: string;
  readonly confirmedInWindowUnits: string;
  readonly confirmedUnits: string;
  readonly pendingUnits: string;
  readonly hasOpenOnTime: boolean;
  readonly chainTime: Date | null;
};

const CHARGE_COLUMNS = sql`
  charge.id, charge.merchant_id as "merchantId", charge.kind, charge.address, charge.chain, charge.currency,
  charge.status, charge.fee_mode as "feeMode", charge.fee_basis_points as "feeBasisPoints",
  charge.fee_fixed_units as "feeFixedUnits", charge.tolerance_basis_points as "toleranceBasisPoints",
  charge.expected_units as "expectedUnits", charge.pay_units as "payUnits",
  charge.fiat_currency as "fiatCurrency", charge.fiat_amount as "fiatAmount",
  charge.order_ref as "orderRef", charge.label, charge.success_url as "successUrl",
  charge.cancel_url as "cancelUrl", charge.settlement_account_id as "settlementAccountId",
  charge.api_key_id as "apiKeyId", charge.checkout_token as "checkoutToken",
  charge.expires_at as "expiresAt", charge.late_until as "lateUntil",
  charge.created_at as "createdAt", charge.updated_at as "updatedAt"`;

/** Of a deposit: it is not final yet. */
export const isOpenDeposit = sql`status in (${literals(...openDepositStatuses)})`;
const isConfirmed = sql`status = ${literals(depositMachine.edge("finalized").to)}`;

/** Of a deposit: dust that is not final blocks nothing. */
export const isNoDust = sql`
  units >= case currency when 'USDT' then ${dustBelow.USDT}::bigint else ${dustBelow.TRX}::bigint end`;

/** The charges of these ids. */
export async function selectCharges(db: Queryable, ids: readonly ChargeId[]): Promise<ChargeRow[]> {
  return selectChargesWhere(db, sql`charge.id = any(${ids}::uuid[])`);
}

/** The charge of this id and merchant. */
export async function selectMerchantCharge(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: ChargeId },
): Promise<ChargeRow | undefined> {
  return maybeOne(
    await selectChargesWhere(db, sql`charge.id = ${id}::uuid and charge.merchant_id = ${merchantId}::uuid`),
  );
}

/** The charge behind a checkout token. */
export async function selectChargeByToken(db: Queryable, token: string): Promise<ChargeRow | undefined> {
  return maybeOne(await selectChargesWhere(db, sql`charge.checkout_token = ${token}`));
}

/**
 * The charges that `condition` (on `charge`) selects. The sums are read over the charge's own deposits by index;
 * money of the other currency (`unmatched`) is never part of them.
 */
async function selectChargesWhere(db: Queryable, condition: Sql): Promise<ChargeRow[]> {
  return db.query<ChargeRow>(sql`
    select ${CHARGE_COLUMNS},
      quote.rate_e4 as "rateE4", quote.source as "quoteSource", quote.expires_at as "quoteExpiresAt",
      sums.confirmed_on_time as "confirmedOnTimeUnits", sums.confirmed_in_window as "confirmedInWindowUnits",
      sums.confirmed as "confirmedUnits", sums.pending as "pendingUnits",
      sums.confirming > 0 as "hasConfirming", sums.detected > 0 as "hasDetected",
      sums.open_on_time > 0 as "hasOpenOnTime",
      (select max(time) from scan_cursors) as "chainTime"
    from deposit_addresses charge
    left join lateral (
      select rate_e4, source, expires_at from quotes
      where deposit_address_id = charge.id order by locked_at desc limit 1
    ) quote on true
    join charge_sums sums
      on sums.merchant_id = charge.merchant_id and sums.deposit_address_id = charge.id
    where ${condition}`);
}

/** A confirmed matching deposit, as order events list it. */
export type EventDeposit = {
  readonly chargeId: ChargeId;
  readonly id: DepositId;
  readonly txId: string;
  readonly units: bigint;
  readonly confirmedAt: Date;
};

/** The first `limit` confirmed deposits of each of these charges, oldest confirmation first, by charge. */
export async function selectConfirmedDeposits(
  db: Queryable,
  ids: readonly ChargeId[],
  limit: number,
): Promise<Map<ChargeId, EventDeposit[]>> {
  const rows = await db.query<EventDeposit>(sql`
    select deposit_address_id as "chargeId", id, tx_id as "txId", units, confirmed_at as "confirmedAt"
    from (
      select *, row_number() over (partition by deposit_address_id order by confirmed_at, id) as place
      from deposits
      where deposit_address_id = any(${ids}::uuid[]) and ${isConfirmed} and not unmatched
    ) deposit
    where place <= ${limit}
    order by deposit_address_id, place`);
  const byCharge = new Map<ChargeId, EventDeposit[]>();
  for (const row of rows) {
    const listed = byCharge.get(row.chargeId);
    if (listed) listed.push(row);
    else byCharge.set(row.chargeId, [row]);
  }
  return byCharge;
}

/** When the confirmed deposits of each charge first added up to its `units`. Charges where they do not are left out. */
export async function selectTimesReached(
  db: Queryable,
  charges: readonly { id: ChargeId; units: bigint }[],
): Promise<Map<ChargeId, Date>> {
  const rows = await db.query<{ id: ChargeId; reachedAt: Date }>(sql`
    select charge.id, min(deposit.confirmed_at) as "reachedAt"
    from unnest(
      ${charges.map(({ id }) => id)}::uuid[], ${charges.map(({ units }) => units)}::bigint[]
    ) as charge (id, units)
    cross join lateral (
      select confirmed_at, sum(units) over (order by confirmed_at, id) as received
      from deposits
      where deposit_address_id = charge.id and ${isConfirmed} and not unmatched
    ) deposit
    where deposit.received >= charge.units
    group by charge.id`);
  return new Map(rows.map(({ id, reachedAt }) => [id, reachedAt]));
}
