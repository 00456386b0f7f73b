import assert from "node:assert/strict";
import { type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "@daric/server/domain/ids";
import { inLists } from "@daric/server/runtime/fair-rounds";
import { findWrongSums } from "@daric/server/sums/sums-store";

/** So many differences say what is wrong. */
const FEW = 5;

/**
 * What is kept so that nobody must count, counted: the sums of charges, the totals of lists, the deposits that are open and
 * the bounds of what is due.
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
        and o.block_number = d.block_number
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
