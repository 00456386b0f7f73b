import { randomBytes } from "node:crypto";
import { addressBytes } from "@daric/addresses/address-bytes";
import { addressMac } from "@daric/addresses/address-mac";
import { issuedInDirectory } from "@daric/addresses/directory-store";
import type { NetworkName } from "@daric/chain/nodes/networks";
import { type Charge, findCharge } from "@daric/charges/charge";
import { newCheckoutToken, tokenBytes } from "@daric/charges/checkout-token";
import { loweredArchiving } from "@daric/charges/due-store";
import { rateColumns } from "@daric/charges/rate-columns-store";
import { changedOpen } from "@daric/deposits/open-store";
import type { Currency } from "@daric/domain/asset";
import type { ChargeKind, ChargeStatus } from "@daric/domain/charge";
import {
  type DepositStatus,
  openDepositStatuses,
  type StuckReason,
  type TransferSource,
} from "@daric/domain/deposit";
import { type DepositId, idOf, type MerchantId, type PersonId, type QuoteId } from "@daric/domain/ids";
import { type Amount, amountFromUnits, parseAmount } from "@daric/domain/money";
import { type Fee, type FeeMode, priceOrder } from "@daric/domain/order";
import { type FiatPrice, QUOTE_LOCK_MS } from "@daric/domain/quote";
import { booked } from "@daric/ledger/store";
import { literals, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { getCheckoutKey } from "@daric/server/deployment/store";
import { counted } from "@daric/totals/list-store";
import { changedSums, dueBy, isDustOf, shareRoundedUp } from "@daric/totals/sums-store";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { TEST_MACS, TEST_XPUB } from "./context.ts";

const HOUR_MS = 3_600_000;
const account = parseAccountXpub(TEST_XPUB);

export type ChargeOverrides = {
  merchantId: string;
  kind?: ChargeKind;
  status?: ChargeStatus;
  currency?: Currency;
  /** expected amount; by default "25" for an order */
  amount?: string;
  payAmount?: string | null;
  feeMode?: FeeMode;
  feeBasisPoints?: number;
  /** the fixed part of the fee; none by default */
  feeFixed?: string;
  toleranceBasisPoints?: number;
  /** prices the order in `fiatCurrency` at `quote`, which determines its amounts */
  fiatAmount?: string | null;
  /** by default USD */
  fiatCurrency?: FiatPrice["fiatCurrency"];
  quote?: OfferOverrides;
  orderRef?: string | null;
  label?: string | null;
  successUrl?: string | null;
  cancelUrl?: string | null;
  settlementAccountId?: string | null;
  /** the person who made it; by default a key did */
  createdBy?: PersonId | null;
  /** null for a receive address; by default one hour ahead */
  expiresAt?: Date | null;
  /** by default 24 hours after `expiresAt` */
  lateUntil?: Date | null;
  /** for an ARCHIVED order */
  acceptedAt?: Date;
  createdAt?: Date;
  /** by default the devnet */
  network?: NetworkName;
};

export type OfferOverrides = {
  /** units of the coin for 1 USD in 10^-4; by default 1.0003 */
  rateE4?: bigint;
  /** the same for 1 unit of any other fiat currency, in 10^-10 */
  rateE10?: bigint;
  /** by default ten minutes before its end */
  lockedAt?: Date;
  /** by default ten minutes ahead */
  expiresAt?: Date;
};

/**
 * Inserts a charge on the next address of the test account; by default an ACTIVE USDT order of 25 that expires in
 * an hour.
 */
export async function aCharge(db: Queryable, overrides: ChargeOverrides): Promise<Charge> {
  const createdAt = overrides.createdAt ?? new Date();
  const id = idOf("charge", idMadeAt(createdAt));
  const merchantId = idOf("merchant", overrides.merchantId);
  const token = newCheckoutToken(await getCheckoutKey(db));
  const kind = overrides.kind ?? "order";
  const { accountKeyId, index } = await takeIndex(db);
  const expiresAt = defaulted(
    overrides.expiresAt,
    kind === "receive" ? null : new Date(Date.now() + HOUR_MS),
  );
  const lateUntil = defaulted(overrides.lateUntil, expiresAt && new Date(expiresAt.getTime() + 24 * HOUR_MS));
  const fee = { basisPoints: overrides.feeBasisPoints ?? 0, fixed: units(overrides.feeFixed ?? "0") };
  const offer = overrides.fiatAmount
    ? anOfferOf(
        {
          fiatCurrency: overrides.fiatCurrency ?? "USD",
          fiatAmount: overrides.fiatAmount,
          feeMode: overrides.feeMode ?? "merchant",
          fee,
        },
        overrides.quote,
      )
    : null;
  const amount = kind === "order" ? (offer?.expected ?? units(overrides.amount ?? "25")) : null;
  const address = deriveReceiveAddress(account, index);
  const quietUntil = expiresAt && new Date(expiresAt.getTime() + 30 * 24 * HOUR_MS);
  const archivesAt = overrides.status === "EXPIRED" ? (laterOf(quietUntil, lateUntil) ?? new Date()) : null;
  await db.query(sql`
    ${storedCharges(sql`insert into deposit_addresses (
      id, merchant_id, kind, account_key_id, derivation_index, address, currency, status, fee_mode,
      fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, pay_units, fiat_currency,
      fiat_amount, order_ref, label, success_url, cancel_url, settlement_account_id, checkout_token,
      expires_at, late_until, archives_at, created_at, newest_quote_id, quote_rate_e4, quote_rate_e10, quote_source, quote_expires_at,
      accepted_at, created_by,
      address_mac
    ) values (
      ${id}, ${overrides.merchantId}, ${kind}, ${accountKeyId}, ${index}, ${address},
      ${overrides.currency ?? "USDT"}, ${overrides.status ?? "ACTIVE"}, ${overrides.feeMode ?? "merchant"},
      ${fee.basisPoints}, ${fee.fixed}, ${overrides.toleranceBasisPoints ?? 0}, ${amount},
      ${overrides.payAmount ? units(overrides.payAmount) : (offer?.pay ?? null)}, ${offer?.fiatCurrency ?? null},
      ${overrides.fiatAmount ?? null}, ${overrides.orderRef ?? null}, ${overrides.label ?? null},
      ${overrides.successUrl ?? null}, ${overrides.cancelUrl ?? null}, ${overrides.settlementAccountId ?? null},
      ${token}, ${expiresAt}, ${lateUntil}, ${archivesAt}, ${createdAt},
      ${offer?.id ?? null}, ${offer?.e4 ?? null}, ${offer?.e10 ?? null}, ${offer && OFFER_SOURCE}, ${offer?.expiresAt ?? null},
      ${overrides.acceptedAt ?? null}, ${overrides.createdBy ?? null},
      ${addressMac(macsOf(overrides.network), { merchantId, checkoutToken: token, address, index })}
    )`)}, quotes as (
      insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units, fetched_at,
        locked_at, expires_at)
      select merchant_id, newest_quote_id, id, quote_rate_e4, quote_rate_e10, quote_source, expected_units, pay_units,
        ${offer?.lockedAt ?? null}::timestamptz, ${offer?.lockedAt ?? null}::timestamptz, quote_expires_at
      from charge where newest_quote_id is not null
    ), issued as (${issuedInDirectory(sql`
      select ${addressBytes(address)}::bytea, merchant_id, id, account_key_id, derivation_index from charge`)}),
    tokens as (
      insert into token_directory (token, merchant_id, charge_id)
      select ${tokenBytes(token)}, merchant_id, id from charge
    )
    select id from charge`);
  const charge = await findCharge(db, { merchantId, id });
  if (charge === undefined) throw new Error("the inserted charge is missing");
  return charge;
}

function macsOf(network: NetworkName = "devnet"): Parameters<typeof addressMac>[0] {
  return { config: { ...TEST_MACS.config, chain: { network } } };
}

function idMadeAt(time: Date): string {
  const milliseconds = time.getTime().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-${uuidv7().slice(19)}`;
}

const OFFER_SOURCE = "test";

function anOfferOf(
  { fiatCurrency, fiatAmount, feeMode, fee }: FiatPrice & { feeMode: FeeMode; fee: Fee },
  { rateE4 = 10_003n, rateE10 = rateE4 * 1_000_000n, lockedAt, expiresAt }: OfferOverrides = {},
) {
  const expected = (units(fiatAmount) * rateE10 + 9_999_999_999n) / 10_000_000_000n;
  const end = expiresAt ?? new Date((lockedAt?.getTime() ?? Date.now()) + QUOTE_LOCK_MS);
  return {
    id: uuidv7(),
    fiatCurrency,
    ...rateColumns({ fiatCurrency, rateE10 }),
    ...priceOrder(amountFromUnits(expected), feeMode, fee),
    lockedAt: lockedAt ?? new Date(end.getTime() - QUOTE_LOCK_MS),
    expiresAt: end,
  };
}

/** Adds a quote to an order, like a requote, and returns its id. */
export async function anOffer(
  db: Queryable,
  {
    merchantId,
    id,
    fiatCurrency,
    fiatAmount,
    feeMode,
    fee,
  }: Pick<Charge, "merchantId" | "id" | "fiatCurrency" | "fiatAmount" | "feeMode" | "fee">,
  overrides: OfferOverrides,
): Promise<QuoteId> {
  if (fiatCurrency === null || fiatAmount === null)
    throw new Error("only a charge priced in fiat has a quote");
  const offer = anOfferOf({ fiatCurrency, fiatAmount, feeMode, fee }, overrides);
  await db.query(sql`
    with offer as (
      insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units, fetched_at,
        locked_at, expires_at)
      values (${merchantId}, ${offer.id}, ${id}, ${offer.e4}, ${offer.e10}, ${OFFER_SOURCE}, ${offer.expected}, ${offer.pay},
        ${offer.lockedAt}, ${offer.lockedAt}, ${offer.expiresAt}))
    update deposit_addresses set newest_quote_id = ${offer.id}, quote_expires_at = ${offer.expiresAt},
      quote_rate_e4 = ${offer.e4}, quote_rate_e10 = ${offer.e10}, expected_units = ${offer.expected}, pay_units = ${offer.pay}
    where merchant_id = ${merchantId} and id = ${id}`);
  return idOf("quote", offer.id);
}

/** The beginning of a statement that inserts charges (`charge`) with their derived rows except directories. */
export function storedCharges(insert: Sql): Sql {
  return sql`
    with charge as (${insert} returning *),
    archive_queue as (${loweredArchiving(sql`select merchant_id, archives_at from charge`)}),
    loaded as (
      insert into active_charge_counts as load (merchant_id, active, expires_from)
      select merchant_id, count(*), coalesce(min(expires_at), 'infinity') from charge group by merchant_id
      on conflict (merchant_id) do update set
        active = load.active + excluded.active, expires_from = least(load.expires_from, excluded.expires_from)
    ),
    totals_of_charges as (${counted(
      "deposit_addresses",
      sql`select merchant_id, array[kind, status, chain] as facets, 1 as delta from charge`,
    )})`;
}

/** The beginning of a statement that inserts deposits (`deposit`) with their derived rows. */
export function storedDeposits(merchantIds: readonly MerchantId[], insert: Sql): Sql {
  const after = sql`select * from deposit`;
  const areOpen = sql`status in (${literals(...openDepositStatuses)})`;
  return sql`
    with deposit as (${insert} returning *),
    summed as (${changedSums({ before: sql`${after} where false`, after })}),
    opened as (${changedOpen(merchantIds, sql`${after} where ${areOpen}`, true)}),
    ${booked(confirmedEntries(after))},
    totals as (${counted("deposits", sql`select merchant_id, array[status, currency] as facets, 1 as delta from deposit`)})`;
}

/** The ledger entries of the confirmed ones among these deposits. The charges must have no fixed fee. */
export function confirmedEntries(deposits: Sql): Sql {
  return sql`
    select d.merchant_id, d.deposit_address_id, d.id as transaction_id, entry.*, null::uuid as sweep_id, null::text as tx_id
    from (${deposits}) d
    join deposit_addresses charge on charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id
    cross join lateral (values
      (0, case when d.unmatched then 'unmatched' else 'deposit' end, 'on_addresses', 'merchant', d.currency, d.units),
      (1, 'fee', 'merchant', 'operator_fees', d.currency,
        case when d.unmatched then 0 else div(d.units::numeric * charge.fee_basis_points, 10000)::bigint end)
    ) as entry (line, kind, debit, credit, currency, units)
    where d.status = 'CONFIRMED' and entry.units > 0`;
}

export type DepositOverrides = {
  chargeId: string;
  amount?: string;
  status?: DepositStatus;
  currency?: Currency;
  source?: TransferSource;
  txId?: string;
  eventIndex?: number;
  blockNumber?: number;
  blockId?: string;
  blockTime?: Date;
  fromAddress?: string | null;
  late?: boolean;
  unmatched?: boolean;
  stuckReason?: StuckReason;
  confirmedAt?: Date;
  createdAt?: Date;
};

/**
 * Inserts a deposit to a charge; by default CONFIRMED, 25, now, in the charge's currency. Columns that depend on
 * the status are set accordingly.
 */
export async function aDeposit(
  db: Queryable,
  overrides: DepositOverrides,
): Promise<{ id: DepositId; merchantId: MerchantId; txId: string }> {
  const txId = overrides.txId ?? randomBytes(32).toString("hex");
  const source = overrides.source ?? "log";
  const eventIndex = overrides.eventIndex ?? 0;
  const { merchantId, address } = one(
    await db.query<{ merchantId: MerchantId; address: string }>(
      sql`select merchant_id as "merchantId", address from deposit_addresses where id = ${overrides.chargeId}`,
    ),
  );
  const id = idOf("deposit", derivedId("deposit", "devnet", txId, source, eventIndex, address));
  const status = overrides.status ?? "CONFIRMED";
  const blockTime = overrides.blockTime ?? new Date();
  const isConfirmed = status === "CONFIRMED";
  const isFailed = status === "FAILED";
  await db.query(sql`
    ${storedDeposits(
      [merchantId],
      sql`insert into deposits (
      id, merchant_id, deposit_address_id, network, tx_id, source, event_index, address, from_address, currency,
      units, status, block_number, block_id, block_time, required_confirmations, final_confirmations, late,
      past_window, unmatched, stuck_reason, failure_reason, confirmed_at, failed_at, created_at, dust, quote_id, share
    )
    select ${id}, merchant_id, id, 'devnet', ${txId}, ${source}, ${eventIndex},
      address, ${defaulted(overrides.fromAddress, "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8")},
      coalesce(${overrides.currency ?? null}, currency), ${units(overrides.amount ?? "25")}, ${status},
      ${overrides.blockNumber ?? 100}, ${overrides.blockId ?? randomBytes(32).toString("hex")}, ${blockTime},
      19, ${isConfirmed ? 19 : null}, coalesce(${overrides.late ?? null}, ${blockTime} > expires_at, false),
      coalesce(${blockTime} > late_until, false) and coalesce(${overrides.late ?? null}, true),
      coalesce(${overrides.unmatched ?? null}, coalesce(${overrides.currency ?? null}, currency) <> currency),
      ${status === "STUCK" ? (overrides.stuckReason ?? "solidity") : null}, ${isFailed ? "dropped" : null},
      ${isConfirmed ? (overrides.confirmedAt ?? new Date()) : null}, ${isFailed ? new Date() : null},
      ${overrides.createdAt ?? new Date()},
      ${isDustOf({
        units: sql`${units(overrides.amount ?? "25")}::bigint`,
        currency: sql`coalesce(${overrides.currency ?? null}, currency)`,
        due: sql`case when coalesce(${overrides.currency ?? null}, currency) = currency then ${dueBy(sql`deposit_addresses`)} end`,
      })},
      case when coalesce(${overrides.currency ?? null}, currency) = currency then newest_quote_id end,
      case when coalesce(${overrides.currency ?? null}, currency) = currency and newest_quote_id is not null
        then ${shareRoundedUp(sql`${units(overrides.amount ?? "25")}`, dueBy(sql`deposit_addresses`))} end
    from deposit_addresses where merchant_id = ${merchantId} and id = ${overrides.chargeId}`,
    )} select id from deposit`);
  return { id, merchantId, txId };
}

/** Confirms a deposit as the watcher does. */
export async function confirmDeposit(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: DepositId },
): Promise<void> {
  const [before, after] = [sql`select * from before`, sql`select * from deposit`];
  await db.query(sql`
    with before as (select * from deposits where merchant_id = ${merchantId} and id = ${id}),
    deposit as (
      update deposits set status = 'CONFIRMED', confirmed_at = now(), final_confirmations = 19, stuck_reason = null
      where merchant_id = ${merchantId} and id = ${id} returning *),
    summed as (${changedSums({ before, after })}),
    opened as (${changedOpen([merchantId], after, false)}),
    ${booked(confirmedEntries(after))}
    ${counted(
      "deposits",
      sql`
        select merchant_id, array[status, currency] as facets, -1 as delta from before
        union all select merchant_id, array[status, currency], 1 from deposit`,
    )}`);
}

/** Sets the time of the last scanned block, as the watcher does. */
export async function setChainTime(db: Queryable, time: Date): Promise<void> {
  await db.query(sql`
    insert into scan_cursors (network, number, block_id, time, leader_epoch)
    values ('devnet', 100, ${"00".repeat(32)}, ${time}, 1)
    on conflict (network) do update set time = excluded.time, number = scan_cursors.number + 1`);
}

async function takeIndex(db: Queryable): Promise<{ accountKeyId: string; index: number }> {
  const row = one(
    await db.query<{ id: string; taken: bigint }>(sql`
      insert into account_keys as key (id, xpub, next_index) values (${uuidv7()}, ${TEST_XPUB}, 1)
      on conflict (xpub) do update set next_index = key.next_index + 1
      returning id, next_index - 1 as taken`),
  );
  return { accountKeyId: row.id, index: Number(row.taken) };
}

function units(amount: string): Amount {
  const parsed = parseAmount(amount);
  if (parsed === undefined) throw new Error(`not an amount: ${amount}`);
  return parsed;
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one !== null && other !== null && one > other ? one : other;
}

function defaulted<T>(value: T | undefined, fallback: T): T {
  return value === undefined ? fallback : value;
}
