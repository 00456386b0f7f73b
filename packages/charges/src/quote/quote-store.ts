import type { Currency } from "@daric/domain/asset";
import type { FiatCurrency } from "@daric/domain/fiat";
import { type ChargeId, type ChargeRef, idOf, type MerchantId, type QuoteId } from "@daric/domain/ids";
import type { FeeMode } from "@daric/domain/order";
import {
  type FiatPrice,
  MAX_LOCKED_RATE_AGE_MS,
  type OfferedQuote,
  type QuotedPrice,
} from "@daric/domain/quote";
import type { Rate } from "@daric/domain/rate";
import {
  joinedOf,
  milliseconds,
  one,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { uuidv7 } from "uuidv7";
import { named } from "../charge-store.ts";
import { rateColumns, rateOf } from "../rate-columns-store.ts";
import type { StoredRate } from "./stored-rate-store.ts";

/** The locked rate of an order that is priced in fiat. */
export type QuoteLock = {
  readonly quoteId: QuoteId;
  readonly fiatCurrency: FiatCurrency;
  readonly rateE10: bigint;
  readonly source: string;
  readonly fetchedAt: Date;
  /** counted from the insert */
  readonly lockMs: number;
};

/** The lock of a price at the rate behind it. */
export function lockOf({ rateE10 }: QuotedPrice, rate: Rate, lockMs: number): QuoteLock {
  const { fiatCurrency, source, fetchedAt } = rate;
  return { quoteId: idOf("quote", uuidv7()), fiatCurrency, rateE10, source, fetchedAt, lockMs };
}

// The order of locks. A transaction that changes the price of a charge locks its row, and reads quotes and deposits
// in later statements. A block's transaction inserts its deposits first and locks their charge last. A requote locks
// the row and then reads deposits without locks. So either the requote finds the deposit and refuses, or the new
// quote is among those that may apply to the deposit. Against deadlocks, rows of charges are locked before events are
// written, which locks endpoints. After that no transaction waits for a row of a charge. Deposits, sums and several
// rows are locked by the watcher alone, in one transaction at a time (`assertLease`).

/** The condition that a rate's `fetchedAt` is too old for a lock; null is not too old. */
export function isTooOld(fetchedAt: Sql): Sql {
  return sql`${fetchedAt} < statement_timestamp() - ${milliseconds(MAX_LOCKED_RATE_AGE_MS)}`;
}

/**
 * Part of the statement that makes charges: the text of a data-modifying CTE that stores their locked rates.
 * `charges` is a query of whole rows with the `fetched_at` of their rates.
 */
export function insertedLocks(charges: Sql): Sql {
  return sql`
    insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units, fetched_at,
      locked_at, expires_at, chain_time)
    select merchant_id, newest_quote_id, id, quote_rate_e4, quote_rate_e10, quote_source, expected_units, pay_units, fetched_at,
      now(), quote_expires_at, (select max(time) from scan_cursors)
    from (${charges}) charge`;
}

/** The input of a quote, and its charge. */
export type QuotedCharge = ChargeRef &
  FiatPrice & {
    readonly currency: Currency;
    readonly feeMode: FeeMode;
    readonly feeBasisPoints: number;
    readonly feeFixedUnits: bigint;
    readonly newestQuoteId: QuoteId;
  };

/** Locks the rows with a fiat price, of 200 merchants at most, until the transaction ends. */
export async function lockQuoted(tx: Transaction, refs: readonly ChargeRef[]): Promise<QuotedCharge[]> {
  return byMerchantLists(refs, (list) =>
    tx.query<QuotedCharge>(sql`
      select merchant_id as "merchantId", id, currency, fee_mode as "feeMode", fee_basis_points as "feeBasisPoints",
        fee_fixed_units as "feeFixedUnits", fiat_currency as "fiatCurrency",
        fiat_amount as "fiatAmount", newest_quote_id as "newestQuoteId"
      from deposit_addresses charge
      where ${named(list)} and fiat_currency is not null
      order by merchant_id, id for no key update`),
  );
}

/** A quote that was offered to a payer. */
export type ChargeOffer = OfferedQuote & {
  readonly id: QuoteId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
};

/** All quotes that were ever offered for these charges, of 200 merchants at most, the oldest first. */
export async function selectOffers(db: Queryable, refs: readonly ChargeRef[]): Promise<ChargeOffer[]> {
  return byMerchantLists(refs, (list) =>
    db.query<ChargeOffer>(sql`
    select quotes.id, quotes.merchant_id as "merchantId", quotes.deposit_address_id as "chargeId",
      ${rateOf(sql`quotes.rate_e4`, sql`quotes.rate_e10`)} as "rateE10", quotes.locked_at as "lockedAt", quotes.expires_at as "expiresAt",
      quotes.chain_time as "chainTime"
    from ${refRows(list)}
    join quotes on ${joinedOf(sql`quotes.merchant_id`, merchantsOf(list))} and quotes.merchant_id = ref.merchant_id
      and quotes.deposit_address_id = ref.id
    where quotes.was_offered
    order by quotes.locked_at`),
  );
}

/** Stores a new offer for a charge whose row is locked, and its price; false if the rate is too old. */
export async function insertOffer(
  tx: Transaction,
  { merchantId, id }: ChargeRef,
  { price, lock }: { price: QuotedPrice; lock: QuoteLock },
): Promise<boolean> {
  const { e4, e10 } = rateColumns(lock);
  const rows = await tx.query(sql`
    with offer as (
      insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units,
        fetched_at, locked_at, expires_at, chain_time)
      select ${merchantId}::uuid, ${lock.quoteId}::uuid, ${id}::uuid, ${e4}::bigint, ${e10}::bigint, ${lock.source},
        ${price.expected}::bigint, ${price.pay}::bigint, ${lock.fetchedAt}::timestamptz, statement_timestamp(),
        statement_timestamp() + ${milliseconds(lock.lockMs)}, (select max(time) from scan_cursors)
      where not ${isTooOld(sql`${lock.fetchedAt}::timestamptz`)}
      returning *
    )
    update deposit_addresses charge
    set newest_quote_id = offer.id, quote_rate_e4 = offer.rate_e4, quote_rate_e10 = offer.rate_e10, quote_source = offer.source,
      quote_expires_at = offer.expires_at, expected_units = offer.expected_units, pay_units = offer.pay_units,
      updated_at = now()
    from offer
    where charge.merchant_id = ${merchantId} and charge.id = ${id}
    returning charge.id`);
  return rows.length > 0;
}

/** The state that decides about a new quote. */
export type LockState = {
  /** the newest quote has ended by the database's clock */
  readonly hasLapsed: boolean;
  /** the later of the database's time and the scanned chain's */
  readonly laterTime: Date;
};

/** Reads the state of a charge with a fiat price. */
export async function readLock(db: Queryable, { merchantId, id }: ChargeRef): Promise<LockState> {
  return one(
    await db.query<LockState>(sql`
      select quote_expires_at <= statement_timestamp() as "hasLapsed",
        greatest(statement_timestamp(), (select max(time) from scan_cursors)) as "laterTime"
      from deposit_addresses where merchant_id = ${merchantId} and id = ${id}`),
  );
}

/** A quote from a stored rate, which was never offered to a payer. */
export type LateQuote = QuotedPrice & Pick<ChargeOffer, "id" | "merchantId" | "chargeId">;

/** Stores quotes from stored rates, of 200 merchants at most; an existing one is equal. */
export async function insertLateQuotes(
  tx: Transaction,
  quotes: readonly LateQuote[],
  rate: StoredRate,
): Promise<void> {
  const each = <T>(value: (quote: LateQuote) => T) => quotes.map(value);
  const columnsOf = ({ rateE10 }: LateQuote) => rateColumns({ fiatCurrency: rate.fiatCurrency, rateE10 });
  await tx.query(sql`
    insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units, fetched_at,
      locked_at, expires_at, was_offered)
    select late.merchant_id, late.id, late.charge_id, late.rate_e4, late.rate_e10, ${rate.source}, late.expected_units, late.pay_units,
      ${rate.fetchedAt}::timestamptz, ${rate.minute}::timestamptz, ${rate.minute}::timestamptz + interval '1 minute', false
    from unnest(
      ${each(({ merchantId }) => merchantId)}::uuid[], ${each(({ id }) => id)}::uuid[],
      ${each(({ chargeId }) => chargeId)}::uuid[], ${each((quote) => columnsOf(quote).e4)}::bigint[], ${each((quote) => columnsOf(quote).e10)}::bigint[],
      ${each(({ expected }) => expected)}::bigint[], ${each(({ pay }) => pay)}::bigint[]
    ) as late (merchant_id, id, charge_id, rate_e4, rate_e10, expected_units, pay_units)
    on conflict (merchant_id, id) do nothing`);
}

function refRows(refs: readonly ChargeRef[]): Sql {
  return sql`unnest(${merchantsOf(refs)}::uuid[], ${refs.map(({ id }) => id)}::uuid[]) as ref (merchant_id, id)`;
}

function merchantsOf(refs: readonly ChargeRef[]): MerchantId[] {
  return refs.map(({ merchantId }) => merchantId);
}
