import assert from "node:assert/strict";
import { type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "@daric/server/domain/ids";
import { inLists } from "@daric/server/runtime/fair-rounds";
import { findWrongSums } from "@daric/server/sums/sums-store";

/** So many differences say what is wrong. */
const FEW = 5;

/**
 * What is kept so that nobody must count, counted: the sums of charges, the totals of lists, the deposits that are open, the
 * bounds of what is due, and what is due at which quote.
 *
 * @throws AssertionError naming what differs.
 */
export async function requireKeptTruths(db: Queryable): Promise<void> {
  const merchants = await db.query<{ id: MerchantId }>(sql`select id from merchants`);
  for (const list of inLists(merchants.map(({ id }) => id))) {
    assert.deepEqual(
      (await findWrongSums(db, list)).slice(0, FEW),
      [],
      "sums that are not what the deposits add up to",
    );
  }
  assert.deepEqual(
    (await wrongTotals(db)).slice(0, FEW),
    [],
    "totals of lists that are not what the rows count",
  );
  assert.deepEqual(
    (await wrongOpenDeposits(db)).slice(0, FEW),
    [],
    "deposits that are open and not known as such, or the other way",
  );
  assert.deepEqual(
    (await lateBounds(db)).slice(0, FEW),
    [],
    "merchants whose charges are due before it is known",
  );
  assert.deepEqual(
    (await wrongTerms(db)).slice(0, FEW),
    [],
    "charges priced in fiat whose terms are not those of the quotes that count",
  );
}

/**
 * An order that is paid or accepted keeps the due it had then, which is that of one of its quotes. Of deposits above dust those in
 * the late window have a say before those after it, and of these the CONFIRMED before those that are not final.
 */
function wrongTerms(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select charge.merchant_id, charge.id, charge.quote_rate_e4, newest.rate_e4 as newest, lowest.rate_e4 as lowest
    from deposit_addresses charge
    left join lateral (
      select * from quotes
      where quotes.merchant_id = charge.merchant_id and quotes.deposit_address_id = charge.id and was_offered
      order by locked_at desc limit 1
    ) newest on true
    left join lateral (
      select min(quotes.rate_e4) as rate_e4 from deposits
      join quotes on quotes.merchant_id = deposits.merchant_id and quotes.id = deposits.quote_id
      where deposits.merchant_id = charge.merchant_id and deposits.deposit_address_id = charge.id
        and deposits.status <> 'FAILED' and deposits.units >= case deposits.currency when 'USDT' then 10000 else 100000 end
      group by past_window, deposits.status = 'CONFIRMED' order by past_window, deposits.status = 'CONFIRMED' desc limit 1
    ) lowest on true
    where charge.fiat_currency is not null and (
      (charge.newest_quote_id, charge.quote_expires_at) is distinct from (newest.id, newest.expires_at)
      or charge.expected_units <> (charge.fiat_amount::numeric * 100) * charge.quote_rate_e4
      or not exists (
        select from quotes
        where quotes.merchant_id = charge.merchant_id and quotes.deposit_address_id = charge.id
          and quotes.rate_e4 = charge.quote_rate_e4)
      or charge.paid_at is null and charge.accepted_at is null
        and charge.quote_rate_e4 <> coalesce(lowest.rate_e4, newest.rate_e4))`);
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
        and o.block_number = d.block_number and o.is_covered = d.is_covered
    where d.id is null or o.deposit_id is null`);
}

function lateBounds(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select merchant_id, charge.id, charge.status, expires_at, archives_at, expires_from, archives_from
    from deposit_addresses charge
    left join charge_load using (merchant_id)
    left join archive_work using (merchant_id)
    where charge.status = 'ACTIVE' and expires_at < coalesce(expires_from, 'infinity')
      or charge.status = 'EXPIRED' and expires_at is not null and coalesce(archives_at < coalesce(archives_from, 'infinity'), true)`);
}
