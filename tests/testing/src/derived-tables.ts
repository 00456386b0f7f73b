import assert from "node:assert/strict";
import type { MerchantId } from "@daric/domain/ids";
import { one, type Queryable, sql } from "@daric/postgres/sql";
import { inLists } from "@daric/runtime/fair-rounds";
import { addEntries, findLedgerViolations, findWrongTotals } from "@daric/server/doctor/ledger-check-store";
import { findWrongSums } from "@daric/totals/sums-store";

/** The most differences that are reported. */
const FEW = 5;
/** The charges of every id. */
const ALL = {
  after: "00000000-0000-0000-0000-000000000000",
  upTo: "ffffffff-ffff-ffff-ffff-ffffffffffff",
} as const;

/**
 * Recomputes all derived data: sums of charges, totals of lists, open deposits, due amounts and quotes.
 * @throws AssertionError naming what differs.
 */
export async function requireDerivedTables(db: Queryable): Promise<void> {
  if (await isWithoutMoney(db)) return;
  const merchants = await db.query<{ id: MerchantId }>(sql`select id from merchants`);
  for (const list of inLists(merchants.map(({ id }) => id))) {
    assert.deepEqual(
      (await findWrongSums(db, list)).slice(0, FEW),
      [],
      "sums of charges that differ from their deposits",
    );
    assert.deepEqual(
      (await wrongLedger(db, list)).slice(0, FEW),
      [],
      "ledgers without a confirmed deposit, or with balances that differ from their entries",
    );
  }
  assert.deepEqual(
    (await wrongTotals(db)).slice(0, FEW),
    [],
    "totals of lists that differ from the number of rows",
  );
  assert.deepEqual(
    (await wrongOpenDeposits(db)).slice(0, FEW),
    [],
    "deposits that are open and not listed as open, or listed and not open",
  );
  assert.deepEqual(
    (await lateBounds(db)).slice(0, FEW),
    [],
    "merchants whose charges expire before their stored next expiry",
  );
  assert.deepEqual(
    (await wrongTerms(db)).slice(0, FEW),
    [],
    "charges priced in fiat whose terms differ from their newest quote",
  );
  assert.deepEqual(
    (await wrongShares(db)).slice(0, FEW),
    [],
    "deposits whose share differs from their part of the amount due by their quote",
  );
}

/** Whether the database has no deposits and no derived rows, as after most tests of other features. */
async function isWithoutMoney(db: Queryable): Promise<boolean> {
  const { found } = one(
    await db.query<{ found: boolean }>(sql`
    select exists (select from deposit_addresses) or exists (select from deposits) or exists (select from quotes)
      or exists (select from ledger_entries) or exists (select from ledger_totals) or exists (select from address_contents)
      or exists (select from charge_sums) or exists (select from open_deposits)
      or exists (select from list_counts where list in ('deposits', 'deposit_addresses')) as found`),
  );
  return !found;
}

async function wrongLedger(db: Queryable, merchantIds: readonly MerchantId[]): Promise<unknown[]> {
  const sums = new Map<string, bigint>();
  const found = await findLedgerViolations(db, { merchantIds }, ALL);
  await addEntries(db, sums, { merchantIds, ...ALL });
  return [...found, ...(await findWrongTotals(db, { merchantIds }, sums))];
}

/** The terms of an order must equal its newest quote. */
function wrongTerms(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select charge.merchant_id, charge.id, charge.quote_rate_e4, charge.quote_rate_e10, newest.rate_e4 as newest
    from deposit_addresses charge
    left join lateral (
      select * from quotes
      where quotes.merchant_id = charge.merchant_id and quotes.deposit_address_id = charge.id and was_offered
      order by locked_at desc limit 1
    ) newest on true
    where charge.fiat_currency is not null and (
      (charge.newest_quote_id, charge.quote_rate_e4, charge.quote_rate_e10, charge.quote_source, charge.quote_expires_at, charge.expected_units,
        charge.pay_units) is distinct from
      (newest.id, newest.rate_e4, newest.rate_e10, newest.source, newest.expires_at, newest.expected_units, newest.pay_units)
      or charge.expected_units <> ceil(
        charge.fiat_amount::numeric * coalesce(charge.quote_rate_e4 * 100, charge.quote_rate_e10 * 0.0001)))`);
}

function wrongShares(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select d.merchant_id, d.id, d.units, d.share, quote.expected_units, quote.pay_units
    from deposits d
    left join quotes quote on quote.merchant_id = d.merchant_id and quote.id = d.quote_id
    join deposit_addresses charge on charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id
    where (d.share is null) <> (d.unmatched or charge.fiat_currency is null)
      or d.share * coalesce(quote.pay_units, quote.expected_units) < d.units::numeric * 1000000000000000000
      or (d.share - 1) * coalesce(quote.pay_units, quote.expected_units) >= d.units::numeric * 1000000000000000000`);
}

function wrongTotals(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    with counted as (
      select merchant_id, 'deposits' as list, array[status, currency] as facets, 1 as rows from deposits
      union all
      select merchant_id, 'deposit_addresses', array[kind, status, chain], 1 from deposit_addresses
    )
    select merchant_id, list, facets, sum(rows) as surplus from (
      select merchant_id, list, facets, -rows as rows from counted
      union all
      select merchant_id, list, facets, rows from list_counts where list in ('deposits', 'deposit_addresses')
    ) rows
    group by merchant_id, list, facets having sum(rows) <> 0`);
}

function wrongOpenDeposits(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select d.merchant_id, d.id, d.status, d.block_number, o.merchant_id as known_of, o.deposit_id as known, o.status as known_status
    from (select * from deposits where status not in ('CONFIRMED', 'FAILED')) d
    full join open_deposits o
      on o.merchant_id = d.merchant_id and o.deposit_id = d.id and o.network = d.network and o.status = d.status
        and o.block_number = d.block_number and o.is_merkle_proven = d.is_merkle_proven
    where d.id is null or o.deposit_id is null`);
}

function lateBounds(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select merchant_id, charge.id, charge.status, expires_at, archives_at, expires_from, archives_from
    from deposit_addresses charge
    left join active_charge_counts using (merchant_id)
    left join archive_queue using (merchant_id)
    where charge.status = 'ACTIVE' and expires_at < coalesce(expires_from, 'infinity')
      or charge.status = 'EXPIRED' and expires_at is not null and coalesce(archives_at < coalesce(archives_from, 'infinity'), true)`);
}
