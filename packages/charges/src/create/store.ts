import { issuedInDirectory } from "@daric/addresses/directory-store";
import type { Currency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SettlementAccountId } from "@daric/domain/ids";
import {
  type Database,
  empty,
  maybeOne,
  one,
  type Queryable,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { counted } from "@daric/totals/list-store";
import { insertedLocks, isTooOld } from "../quote/quote-store.ts";
import {
  type AddressedDraft,
  areClicks,
  areLocked,
  CLICK_COLUMNS,
  draftRows,
  haveEmails,
  haveLifetimes,
  haveMakers,
  type InsertedCharge,
  MAKER_COLUMN,
  type RestTerms,
} from "./charge-draft-store.ts";
import { insertOnServer } from "./cluster-insert-store.ts";
import { countsAgainstCap, fixedFeeUnits } from "./terms-store.ts";

/**
 * Inserts charges of one merchant in one statement, and returns the results in the order of the drafts. A distributed database
 * takes several ({@link insertOnServer}).
 *
 * The merchant's terms, cap and settlement account are those at the start of the statement. It may then wait for `load`,
 * the merchant's row of `active_charge_counts`.
 *
 * The count in that row is never too low: it changes under the row's lock, and a waiting statement is checked by the
 * new value. Expired charges leave it too high until `countRoom` counts again. A life begins at the later of the
 * database's time and the scanned chain's, so a fast chain clock does not shorten it.
 */
export async function insertCharges(
  db: Database | Transaction,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
): Promise<InsertedCharge[]> {
  const onServer = (tx: Transaction) => insertOnServer(tx, merchantId, drafts);
  if (isSharded()) return "transaction" in db ? db.transaction(onServer) : onServer(db);
  const locked = areLocked(drafts) ? LOCKED : NOT_LOCKED;
  const lifetime = haveLifetimes(drafts)
    ? sql`coalesce(requested.lifetime_seconds, ${usualLifetime})`
    : usualLifetime;
  const [rest] = drafts.flatMap((draft) => draft.rest ?? []);
  const terms = rest === undefined ? MERCHANTS_TERMS : termsOfRest(rest);
  const clicked = areClicks(drafts) ? CLICKED : NOT_CLICKED;
  const email = haveEmails(drafts) ? sql`, customer_email` : empty;
  const maker = haveMakers(drafts) ? MAKER_COLUMN : empty;
  return db.query<InsertedCharge>(sql`
    with requested as (${draftRows(drafts)}),
    checked as (
      select requested.*, merchant.active_address_cap as cap,
        ${terms.frozen},
        greatest(now(), (select max(time) from scan_cursors)) + interval '1 second' * ${lifetime} as expires_at,
        interval '1 second' * merchant.late_window_seconds as late_window,
        case
          when requested.terms_version <> merchant.terms_version then 'TERMS_CHANGED'
          when requested.settlement_account_id is not null and account.id is null then 'SETTLEMENT_ACCOUNT_NOT_FOUND'
          when account.status <> 'active' then 'SETTLEMENT_ACCOUNT_DISABLED'
          ${locked.refusal}
        end as refusal
      from requested
      join merchants merchant on merchant.id = ${merchantId}
      left join settlement_accounts account
        on account.merchant_id = ${merchantId} and account.id = requested.settlement_account_id
    ),
    accepted as (select * from checked where refusal is null),
    room as (
      update active_charge_counts load
      set active = load.active + coming.expiring, expires_from = least(load.expires_from, coming.expires_from)
      from (
        select ${clicked.counted} as expiring, min(expires_at) as expires_from, max(cap) as cap from accepted
      ) coming
      where load.merchant_id = ${merchantId} and ${fits}
      returning load.merchant_id
    ),
    charge as (
      insert into deposit_addresses (
        merchant_id, id, kind, account_key_id, derivation_index, address, address_mac, currency, fee_mode,
        fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, pay_units, order_ref, label, success_url,
        cancel_url, settlement_account_id, api_key_id, metadata, customer_ref, checkout_token, expires_at, late_until${locked.columns}${terms.columns}${clicked.columns}${email}${maker})
      select room.merchant_id, id, kind, account_key_id, derivation_index, address, address_mac, currency, fee_mode,
        fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, pay_units, order_ref, label,
        success_url, cancel_url, settlement_account_id, api_key_id, metadata, customer_ref, checkout_token, expires_at,
        expires_at + late_window${locked.values}${terms.values}${clicked.columns}${email}${maker}
      from accepted cross join room
      on conflict (merchant_id, chain, currency, settlement_account_id, coalesce(customer_ref, ''))
        where kind = 'receive' do nothing
      returning *
    ),
    tokens as (
      insert into token_directory (token, merchant_id, charge_id)
      select requested.token, charge.merchant_id, charge.id from charge join requested using (id)
    ),
    addresses as (${issuedInDirectory(sql`
      select requested.address_hash, charge.merchant_id, charge.id, charge.account_key_id, charge.derivation_index
      from charge join requested using (id)`)}),
    ${locked.quotes}
    totals as (${counted(
      "deposit_addresses",
      sql`select merchant_id, array[kind, status, chain] as facets, 1 as delta from charge`,
    )})
    select checked.id, charge.status, charge.expires_at as "expiresAt", charge.quote_expires_at as "quoteExpiresAt",
      case
        when checked.refusal is not null then checked.refusal
        when not exists (select from room) then 'NO_ROOM'
        when charge.id is null then 'ALREADY_EXISTS'
      end as refusal
    from checked left join charge using (id)
    order by checked.position`);
}

/** Null of a standing address, which does not expire. */
const usualLifetime = sql`case
          when kind = 'order' then merchant.order_lifetime_seconds
          when kind = 'open' then merchant.open_lifetime_seconds
        end`;

/** The extra parts of the statement for fiat prices: it locks their rates at once. */
const LOCKED = {
  refusal: sql`when ${isTooOld(sql`requested.fetched_at`)} then 'RATE_STALE'`,
  columns: sql`, fiat_currency, fiat_amount, newest_quote_id, quote_rate_e4, quote_rate_e10, quote_source, quote_expires_at`,
  values: sql`, fiat_currency, fiat_amount, quote_id, rate_e4, rate_e10, quote_source,
        now() + lock_ms * interval '1 millisecond'`,
  quotes: sql`quotes as (${insertedLocks(sql`
      select charge.*, requested.fetched_at from charge join requested using (id) where requested.quote_id is not null`)}),`,
};
const NOT_LOCKED: typeof LOCKED = { refusal: empty, columns: empty, values: empty, quotes: empty };

/** The parts of the statement for orders of payment links: they take no room under the merchant's cap. */
const CLICKED = { counted: sql`0::bigint`, columns: CLICK_COLUMNS };
const NOT_CLICKED: typeof CLICKED = { counted: sql`count(expires_at)`, columns: empty };

/** The parts of the statement for the terms that freeze on a charge: the merchant's. */
const MERCHANTS_TERMS = {
  frozen: sql`case when kind = 'receive' then 'merchant' else merchant.fee_mode end as fee_mode,
        merchant.fee_basis_points,
        ${fixedFeeUnits} as fee_fixed_units,
        merchant.underpayment_tolerance_basis_points as tolerance_basis_points`,
  columns: empty,
  values: empty,
};

function termsOfRest(rest: RestTerms): typeof MERCHANTS_TERMS {
  return {
    frozen: sql`'merchant' as fee_mode, ${rest.feeBasisPoints}::integer as fee_basis_points, 0::bigint as fee_fixed_units,
        ${rest.toleranceBasisPoints}::integer as tolerance_basis_points`,
    columns: sql`, rest_of`,
    values: sql`, ${rest.of}::uuid`,
  };
}

/**
 * The condition that `load` has room under the cap for all drafts of `coming`, or that none of them counts. An
 * empty `room` means no room, or no row before the merchant's first charge; `countRoom` makes one.
 */
const fits = sql`(coming.expiring = 0 or load.active + coming.expiring <= coming.cap)`;

/**
 * Locks the merchant's row of `active_charge_counts` until the transaction ends, sets it to the exact count, and
 * returns the room under the cap. Creates the row before the merchant's first charge.
 */
export async function countRoom(tx: Transaction, merchantId: MerchantId): Promise<number> {
  await tx.query(sql`
    insert into active_charge_counts as load (merchant_id) values (${merchantId})
    on conflict (merchant_id) do update set active = load.active`);
  // A separate statement sees the writes of earlier holders of the row.
  const row = one(
    await tx.query<{ room: bigint }>(sql`
      update active_charge_counts load set active = counted.active
      from (
        select count(*) as active from deposit_addresses
        where merchant_id = ${merchantId} and ${countsAgainstCap}
      ) counted, merchants merchant
      where load.merchant_id = ${merchantId} and merchant.id = ${merchantId}
      returning merchant.active_address_cap - load.active as room`),
  );
  return Math.max(0, Number(row.room));
}

/** The unique key of a receive address. */
export type ReceiveAddressKey = {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly settlementAccountId: SettlementAccountId;
  /** null for the address without a customer */
  readonly customerRef: string | null;
};

/** The id of the receive address of a settlement account in a currency, for a customer. */
export async function findReceiveAddressId(
  db: Queryable,
  key: ReceiveAddressKey,
): Promise<ChargeId | undefined> {
  return maybeOne(
    await db.query<{ id: ChargeId }>(sql`
      select id from deposit_addresses
      where merchant_id = ${key.merchantId} and chain = 'tron' and currency = ${key.currency}
        and settlement_account_id = ${key.settlementAccountId} and kind = 'receive'
        and coalesce(customer_ref, '') = ${key.customerRef ?? ""}`),
  )?.id;
}
