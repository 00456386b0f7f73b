import type { Currency } from "@daric/domain/asset";
import { type ChargeRef, type MerchantId, type RefKey, refKey } from "@daric/domain/ids";
import { kindsOfHolding, type LedgerLine, type LedgerTransaction } from "@daric/domain/ledger";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import type { MonthlyTotal } from "@daric/domain/statement";
import {
  type Database,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Tie,
  type Transaction,
  tieTo,
  untied,
} from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";

/**
 * Part of a statement: the CTEs that book `entries`, a query of all columns of `ledger_entries` but the time. They
 * also update totals and contents of addresses. Existing entries stay as they are.
 */
export function booked(entries: Sql, { tenant, join }: Tie = untied): Sql {
  const isGas = sql`kind = any(${kindsOfHolding.gas}::text[])`;
  const isSuspense = sql`kind = any(${kindsOfHolding.suspense}::text[])`;
  return sql`
    entry as (
      insert into ledger_entries (merchant_id, deposit_address_id, transaction_id, line, kind, debit, credit, currency, units,
        sweep_id, tx_id)
      select * from (${entries}) line
      order by merchant_id, deposit_address_id, transaction_id, line
      on conflict do nothing
      returning *
    ), total as (
      insert into ledger_totals (merchant_id, month, currency, kind, debit, credit, units, lines)
      select ${tenant}, date_trunc('month', booked_at at time zone 'UTC')::date, currency, kind, debit, credit, sum(units),
        count(*)
      from entry ${join}
      group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (merchant_id, month, currency, kind, debit, credit) do update
      set units = ledger_totals.units + excluded.units, lines = ledger_totals.lines + excluded.lines
    ), content as (
      insert into address_contents as contents
        (merchant_id, deposit_address_id, currency, units, gas_units, suspense_units, oldest_at)
      select ${tenant}, deposit_address_id, currency, units, gas_units, suspense_units, case when units > 0 then now() end
      from (
        select merchant_id, deposit_address_id, currency,
          coalesce(sum(moved) filter (where not ${isGas} and not ${isSuspense}), 0) as units,
          coalesce(sum(moved) filter (where ${isGas}), 0) as gas_units,
          coalesce(sum(moved) filter (where ${isSuspense}), 0) as suspense_units
        from (
          select *, case when debit = 'on_addresses' then units else -units end as moved
          from entry where 'on_addresses' in (debit, credit)
        ) moving
        group by merchant_id, deposit_address_id, currency
      ) change ${join}
      order by ${tenant}, deposit_address_id, currency
      on conflict (merchant_id, deposit_address_id, currency) do update set
        units = contents.units + excluded.units,
        gas_units = contents.gas_units + excluded.gas_units,
        suspense_units = contents.suspense_units + excluded.suspense_units,
        oldest_at = case
          when contents.units + excluded.units <= 0 then null
          when contents.units > 0 then contents.oldest_at
          else excluded.oldest_at end
    )`;
}

/**
 * Books any number of transactions in one statement. Call it in the transaction of the booked change, before it
 * writes events.
 */
export async function bookTransactions(
  tx: Transaction,
  transactions: readonly LedgerTransaction[],
): Promise<void> {
  const lines = transactions.flatMap((transaction) =>
    transaction.lines.map((line, place) => ({ ...transaction, ...line, place })),
  );
  for (const list of inMerchantLists(lines)) await bookLines(tx, list);
}

type BookedLine = LedgerTransaction & LedgerLine & { readonly units: Amount; readonly place: number };

async function bookLines(tx: Transaction, lines: readonly BookedLine[]): Promise<void> {
  const merchantIds = lines.map(({ merchantId }) => merchantId);
  await tx.query(sql`
    with ${booked(
      sql`
      select * from unnest(
        ${merchantIds}::uuid[], ${lines.map(({ chargeId }) => chargeId)}::uuid[],
        ${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ place }) => place)}::smallint[],
        ${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ debit }) => debit)}::text[],
        ${lines.map(({ credit }) => credit)}::text[], ${lines.map(({ currency }) => currency)}::text[],
        ${lines.map(({ units }) => units)}::bigint[], ${lines.map(({ sweepId }) => sweepId ?? null)}::uuid[],
        ${lines.map(({ txId }) => txId ?? null)}::text[]
      ) as line (merchant_id, deposit_address_id, transaction_id, line, kind, debit, credit, currency, units, sweep_id, tx_id)`,
      tieTo(merchantIds),
    )}
    select 1`);
}

/** The fixed fees that these orders have already borne. Orders without any are left out. */
export async function findFixedFeesTaken(
  db: Queryable,
  refs: readonly ChargeRef[],
): Promise<Map<RefKey<"charge">, Amount>> {
  const rows = await db.query<ChargeRef & { units: string }>(sql`
    select entry.merchant_id as "merchantId", entry.deposit_address_id as id, sum(entry.units)::text as units
    from unnest(${refs.map(({ merchantId }) => merchantId)}::uuid[], ${refs.map(({ id }) => id)}::uuid[]) as charge (merchant_id, id)
    join ledger_entries entry on entry.merchant_id = charge.merchant_id and entry.deposit_address_id = charge.id
    where entry.kind = 'fixed_fee'
    group by entry.merchant_id, entry.deposit_address_id`);
  return new Map(rows.map((row) => [refKey(row), amountFromUnits(BigInt(row.units))]));
}

/** The totals of a merchant's lines, by month. */
export async function readMonthlyTotals(db: Queryable, merchantId: MerchantId): Promise<MonthlyTotal[]> {
  const rows = await db.query<LedgerLine & { units: string; month: string; lines: bigint }>(sql`
    select to_char(month, 'YYYY-MM') as month, currency, kind, debit, credit, units::text as units, lines
    from ledger_totals where merchant_id = ${merchantId}
    order by month, currency, kind, debit`);
  return rows.map((row) => ({
    ...row,
    units: amountFromUnits(BigInt(row.units)),
    lines: Number(row.lines),
  }));
}

/** Runs `work` in a read-only snapshot of the database. */
export async function inSnapshot<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`);
    return work(tx);
  });
}

/** The fees that the operator is owed, and the part of them that open sweeps will pay. */
export type FeesOwed = {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  /** charged and not paid */
  readonly owed: Amount;
  /** of sweeps to the operator that have not ended */
  readonly planned: Amount;
};

/** The fees of these merchants, 200 at most; a merchant and currency without any are left out. */
export async function readFeesOwed(db: Queryable, merchantIds: readonly MerchantId[]): Promise<FeesOwed[]> {
  const rows = await db.query<{
    merchantId: MerchantId;
    currency: Currency;
    owed: string;
    planned: string;
  }>(sql`
    select merchant_id as "merchantId", currency, owed::text,
      coalesce((
        select sum(units) from sweeps
        where sweeps.merchant_id = fees.merchant_id and sweeps.currency = fees.currency and recipient = 'operator'
          and status not in ('SOLID', 'RECLAIMED', 'DROPPED')), 0)::text as planned
    from (
      select merchant_id, currency, sum(case when credit = 'operator_fees' then units else -units end) as owed
      from ledger_totals
      where merchant_id ${oneOf(merchantIds)} and 'operator_fees' in (debit, credit)
      group by merchant_id, currency
    ) fees
    order by merchant_id, currency`);
  return rows.map(({ owed, planned, ...row }) => ({
    ...row,
    owed: amountFromUnits(BigInt(owed)),
    planned: amountFromUnits(BigInt(planned)),
  }));
}
