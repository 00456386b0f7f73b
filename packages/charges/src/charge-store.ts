import type { Currency } from "@daric/domain/asset";
import type { ChargeKind, ChargeStatus } from "@daric/domain/charge";
import type { FiatCurrency } from "@daric/domain/fiat";
import {
  type ApiKeyId,
  type ChargeId,
  type ChargeRef,
  type DepositId,
  type MerchantId,
  type PaymentLinkId,
  type PersonId,
  type RefKey,
  refKey,
  type SettlementAccountId,
} from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { FeeMode } from "@daric/domain/order";
import {
  empty,
  joinedOf,
  type Naming,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  unnamed,
} from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { tokenBytes } from "./checkout-token.ts";
import { selectRefsByToken } from "./checkout-token-store.ts";
import { rateOf } from "./rate-columns-store.ts";

/** The fields of a charge with the same form in the database and in the code. */
export type ChargeFacts = {
  readonly id: ChargeId;
  readonly merchantId: MerchantId;
  readonly kind: ChargeKind;
  readonly address: string;
  readonly chain: "tron";
  readonly currency: Currency;
  readonly status: ChargeStatus;
  readonly feeMode: FeeMode;
  readonly fiatCurrency: FiatCurrency | null;
  readonly fiatAmount: string | null;
  readonly orderRef: string | null;
  readonly label: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly settlementAccountId: SettlementAccountId | null;
  readonly apiKeyId: ApiKeyId | null;
  readonly metadata: Metadata | null;
  /** of a receive address: its customer */
  readonly customerRef: string | null;
  /** the order that this one asks the missing money of */
  readonly restOf: ChargeId | null;
  /** the payment link that the order was made by */
  readonly paymentLinkId: PaymentLinkId | null;
  /** the person who made it, its payment link or its first order; null where a key did */
  readonly createdBy: PersonId | null;
  readonly payerRef: string | null;
  /** what the payer typed, see `payer.ts` */
  readonly sealedPayer: Buffer | null;
  /** the address of its payer, see `customer-email.ts` */
  readonly sealedCustomerEmail: Buffer | null;
  /** when its merchant accepted the received money as full payment */
  readonly acceptedAt: Date | null;
  readonly acceptReason: string | null;
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

/** The fields behind a payer's page. All others are the merchant's. */
export type ShownFacts = Pick<
  ChargeFacts,
  | "kind"
  | "address"
  | "chain"
  | "currency"
  | "status"
  | "feeMode"
  | "fiatCurrency"
  | "fiatAmount"
  | "orderRef"
  | "successUrl"
  | "cancelUrl"
  | "checkoutToken"
  | "expiresAt"
  | "acceptedAt"
  | "hasConfirming"
  | "hasDetected"
>;

/** A charge in the database: its row and the sums of its matching deposits. */
export type ChargeRow = ChargeFacts &
  ShownRow & { readonly feeBasisPoints: number; readonly feeFixedUnits: bigint };

/** The part of a `ChargeRow` behind a payer's page. */
export type ShownRow = ShownFacts & {
  readonly id: ChargeId;
  readonly merchantId: MerchantId;
  readonly derivationIndex: bigint;
  readonly addressMac: Buffer | null;
  readonly toleranceBasisPoints: number;
  readonly expectedUnits: bigint | null;
  readonly payUnits: bigint | null;
  readonly rateE10: bigint | null;
  readonly quoteSource: string | null;
  readonly quoteExpiresAt: Date | null;
  /** Numeric sums, as text: many deposits can exceed a bigint column. */
  readonly confirmedOnTimeUnits: string;
  readonly confirmedInWindowUnits: string;
  readonly confirmedUnits: string;
  readonly pendingUnits: string;
  /** the dust among these units */
  readonly dustUnits: string;
  readonly dustOnTimeUnits: string;
  readonly dustPendingUnits: string;
  /** The same sums as shares of the due, in 10^-18; 0 without a fiat price. */
  readonly confirmedOnTimeShare: string;
  readonly confirmedInWindowShare: string;
  readonly confirmedShare: string;
  readonly pendingShare: string;
  readonly hasOpenOnTime: boolean;
  readonly chainTime: Date | null;
};

/** The columns of a `ShownRow`, of a `charge` with its parts. */
const SHOWN_COLUMNS: Sql = sql`
  charge.id, charge.merchant_id as "merchantId", charge.derivation_index as "derivationIndex",
  charge.address_mac as "addressMac", charge.kind, charge.address, charge.chain, charge.currency, charge.status, charge.fee_mode as "feeMode",
  charge.tolerance_basis_points as "toleranceBasisPoints",
  charge.expected_units as "expectedUnits", charge.pay_units as "payUnits",
  charge.fiat_currency as "fiatCurrency", charge.fiat_amount as "fiatAmount",
  charge.order_ref as "orderRef", charge.success_url as "successUrl", charge.cancel_url as "cancelUrl",
  charge.checkout_token as "checkoutToken", charge.expires_at as "expiresAt", charge.accepted_at as "acceptedAt",
  ${rateOf(sql`charge.quote_rate_e4`, sql`charge.quote_rate_e10`)} as "rateE10", charge.quote_source as "quoteSource",
  charge.quote_expires_at as "quoteExpiresAt",
  coalesce(sums.confirmed_on_time, 0) as "confirmedOnTimeUnits",
  coalesce(sums.confirmed_in_window, 0) as "confirmedInWindowUnits",
  coalesce(sums.confirmed, 0) as "confirmedUnits", coalesce(sums.pending, 0) as "pendingUnits",
  coalesce(sums.dust, 0) as "dustUnits", coalesce(sums.dust_on_time, 0) as "dustOnTimeUnits",
  coalesce(sums.dust_pending, 0) as "dustPendingUnits",
  coalesce(sums.confirmed_on_time_share, 0) as "confirmedOnTimeShare",
  coalesce(sums.confirmed_in_window_share, 0) as "confirmedInWindowShare",
  coalesce(sums.confirmed_share, 0) as "confirmedShare", coalesce(sums.pending_share, 0) as "pendingShare",
  coalesce(sums.confirming > 0, false) as "hasConfirming", coalesce(sums.detected > 0, false) as "hasDetected",
  coalesce(sums.open_on_time > 0, false) as "hasOpenOnTime",
  (select max(time) from scan_cursors) as "chainTime"`;

/** The columns of a `ChargeRow`, of a `charge` with its parts. */
export const CHARGE_COLUMNS: Sql = sql`
  ${SHOWN_COLUMNS},
  charge.fee_basis_points as "feeBasisPoints",
  charge.fee_fixed_units as "feeFixedUnits", charge.label,
  charge.settlement_account_id as "settlementAccountId", charge.api_key_id as "apiKeyId",
  charge.metadata, charge.customer_ref as "customerRef", charge.rest_of as "restOf", charge.payment_link_id as "paymentLinkId",
  charge.created_by as "createdBy", charge.payer_ref as "payerRef", charge.payer as "sealedPayer",
  charge.customer_email as "sealedCustomerEmail", charge.accept_reason as "acceptReason",
  charge.late_until as "lateUntil", charge.created_at as "createdAt", charge.updated_at as "updatedAt"`;

/**
 * The joins of a `charge`: its stored sums (none before its first deposit), which cost the same for any
 * number of payments. Money of another coin, `unmatched`, is a separate sum.
 */
export const CHARGE_PARTS: Sql = chargeParts(sql`charge_sums`);

/** The same with the sums from this table, or part of one. */
export function chargeParts(keptSums: Sql): Sql {
  return sql`
  left join ${keptSums} sums on sums.merchant_id = charge.merchant_id and sums.deposit_address_id = charge.id`;
}

/** The charges of these references. The limit keeps the planner from comparing all of them with all sums before the first statistics. */
export async function selectCharges(db: Queryable, refs: readonly ChargeRef[]): Promise<ChargeRow[]> {
  return byMerchantLists(refs, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<ChargeRow>(sql`
      select ${CHARGE_COLUMNS} from deposit_addresses charge
      left join lateral (
        select * from charge_sums sums
        where ${joinedOf(sql`sums.merchant_id`, merchantIds)} and sums.merchant_id = charge.merchant_id
          and sums.deposit_address_id = charge.id
        limit 1) sums on true
      where ${named(list)}`);
  });
}

/**
 * The public data behind checkout tokens, with the columns of `beside`. `beside` is a query of one row that may read
 * `charge` and `sums`, and names the merchant of each table. The same statement looks up the tokens in the directory. On a distributed database the servers
 * know their own tokens.
 */
export async function selectChargesByToken<Beside>(
  db: Queryable,
  tokens: readonly string[],
  beside: (of: Naming) => Sql,
): Promise<(ShownRow & Beside)[]> {
  if (isSharded())
    return byMerchantLists(await selectRefsByToken(db, tokens), (list) => {
      const merchantIds = list.map(({ merchantId }) => merchantId);
      const of = (column: Sql) => joinedOf(column, merchantIds);
      return db.query<ShownRow & Beside>(sql`
        select ${SHOWN_COLUMNS}, beside.* from deposit_addresses charge
        left join charge_sums sums on ${of(sql`sums.merchant_id`)}
          and sums.merchant_id = charge.merchant_id and sums.deposit_address_id = charge.id
        cross join lateral (${beside(of)}) beside where ${named(list)}`);
    });
  const [only, ...others] = tokens.map(tokenBytes);
  // The planner knows the length of a list and plans a short one anew each time, unless it comes from a
  // query.
  const wanted =
    others.length === 0 ? sql`= ${only}` : sql`= any(array(select unnest(${[only, ...others]}::bytea[])))`;
  return db.query<ShownRow & Beside>(sql`
    select ${SHOWN_COLUMNS}, beside.*
    from token_directory directory
    join deposit_addresses charge on charge.merchant_id = directory.merchant_id and charge.id = directory.charge_id
    ${CHARGE_PARTS}
    cross join lateral (${beside(unnamed)}) beside
    where directory.token ${wanted}`);
}

/** SQL condition: `charge` is one of these refs. */
export function named(refs: readonly ChargeRef[]): Sql {
  const merchantIds = refs.map(({ merchantId }) => merchantId);
  const ids = refs.map(({ id }) => id);
  // One id is compared without a list: PostgreSQL plans a list of one anew each time, since it looks cheaper than a long one.
  if (ids.length === 1) return sql`charge.merchant_id ${oneOf(merchantIds)} and charge.id = ${ids[0]}`;
  return new Set(merchantIds).size === 1
    ? sql`charge.merchant_id ${oneOf(merchantIds)} and charge.id = any(${ids}::uuid[])`
    : sql`${joinedOf(sql`charge.merchant_id`, merchantIds)} and (charge.merchant_id, charge.id) in (
        select * from unnest(${merchantIds}::uuid[], ${ids}::uuid[]))`;
}

/** A confirmed matching deposit, as order events list it. */
export type EventDeposit = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly id: DepositId;
  readonly txId: string;
  readonly units: bigint;
  readonly confirmedAt: Date;
};

/**
 * The largest `limit` confirmed deposits of each of these charges, largest first: dust is last. With `onTimeAlone` it
 * reads only those in time.
 */
export async function selectConfirmedDeposits(
  db: Queryable,
  refs: readonly ChargeRef[],
  { limit, onTimeAlone = false }: { limit: number; onTimeAlone?: boolean },
): Promise<Map<RefKey<"charge">, EventDeposit[]>> {
  const rows = await byMerchantLists(refs, (list) =>
    db.query<EventDeposit>(sql`
    select deposit.merchant_id as "merchantId", deposit.deposit_address_id as "chargeId", deposit.id,
      deposit.tx_id as "txId", deposit.units, deposit.confirmed_at as "confirmedAt"
    from unnest(
      ${list.map(({ merchantId }) => merchantId)}::uuid[], ${list.map(({ id }) => id)}::uuid[]
    ) as charge (merchant_id, id)
    cross join lateral (
      select * from deposits
      where ${joinedOf(
        sql`deposits.merchant_id`,
        list.map(({ merchantId }) => merchantId),
      )} and deposits.merchant_id = charge.merchant_id and deposit_address_id = charge.id
        and confirmed_at is not null and not unmatched ${onTimeAlone ? sql`and not late` : empty}
      order by units desc, id limit ${limit}
    ) deposit
    order by deposit.merchant_id, deposit.deposit_address_id, deposit.units desc, deposit.id`),
  );
  const byCharge = new Map<RefKey<"charge">, EventDeposit[]>();
  for (const row of rows) {
    const key = refKey({ merchantId: row.merchantId, id: row.chargeId });
    const listed = byCharge.get(key);
    if (listed) listed.push(row);
    else byCharge.set(key, [row]);
  }
  return byCharge;
}
