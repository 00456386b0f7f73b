import { depositMachine } from "@daric/domain/deposit";
import { kindsOfHolding } from "@daric/domain/ledger";
import { literals, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { CheckScope } from "./deposit-check-store.ts";
import type { ChargeRange } from "./id-range.ts";
import { type Violation, violationOf } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

const isConfirmed = sql`d.status = ${literals(depositMachine.edge("finalized").to)}`;

type LedgerScope = Pick<CheckScope, "merchantIds">;

/** The faults in the ledger of a range of charges: their deposits, their fees, and the contents of their addresses. */
export async function findLedgerViolations(
  db: Queryable,
  scope: LedgerScope,
  range: ChargeRange,
): Promise<Violation[]> {
  return [
    ...(await findMisbooked(db, scope, range)),
    ...(await findWrongFixedFees(db, scope, range)),
    ...(await findWrongContents(db, scope, range)),
  ];
}

/** Each confirmed deposit, compared with its entries. */
function findMisbooked(
  db: Queryable,
  { merchantIds }: LedgerScope,
  { after, upTo }: ChargeRange,
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`id`,
    faults: [
      ["I25", "confirmed deposit that is missing in the ledger", sql`booked is null`],
      ["I25", "deposit in the ledger that is not confirmed", sql`deposited is null`],
      [
        "I25",
        "deposit with other facts in the ledger",
        sql`(booked, booked_currency, booked_unmatched) is distinct from (deposited, currency, unmatched)`,
      ],
      [
        "I25",
        "deposit with another fee than its charge's terms give",
        sql`(fee, fixed_fee) is distinct from (due_fee, due_fixed_fee)`,
      ],
    ],
    from: sql`(
      select d.merchant_id, d.id, d.units as deposited, d.currency, d.unmatched, terms.share as due_fee,
        -- What an order bears of it follows from all its deposits.
        case when d.unmatched then 0 when charge.kind = 'order' then null
          else least(charge.fee_fixed_units, d.units - terms.share) end as due_fixed_fee
      from deposits d
      join deposit_addresses charge on charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id
      cross join lateral (
        select case when d.unmatched then 0 else div(d.units::numeric * charge.fee_basis_points, 10000) end as share
      ) terms
      where d.merchant_id ${oneOf(merchantIds)} and ${isConfirmed}
        and d.deposit_address_id > ${after}::uuid and d.deposit_address_id <= ${upTo}::uuid
    ) d full join (
      select e.merchant_id, e.transaction_id as id, min(e.currency) as booked_currency, bool_or(e.kind = 'unmatched') as booked_unmatched,
        sum(e.units) filter (where e.kind in ('deposit', 'unmatched')) as booked,
        coalesce(sum(e.units) filter (where e.kind = 'fee'), 0) as fee,
        case when min(charge.kind) = 'order' and not bool_or(e.kind = 'unmatched') then null
          else coalesce(sum(e.units) filter (where e.kind = 'fixed_fee'), 0) end as fixed_fee
      from ledger_entries e
      join deposit_addresses charge on charge.merchant_id = e.merchant_id and charge.id = e.deposit_address_id
      where e.merchant_id ${oneOf(merchantIds)} and e.kind in ('deposit', 'unmatched', 'fee', 'fixed_fee')
        and e.deposit_address_id > ${after}::uuid and e.deposit_address_id <= ${upTo}::uuid
      group by e.merchant_id, e.transaction_id
    ) booked using (merchant_id, id)`,
  });
}

/** The fixed fees of orders. They do not depend on the sequence of deposits. */
function findWrongFixedFees(
  db: Queryable,
  { merchantIds }: LedgerScope,
  { after, upTo }: ChargeRange,
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`charge.id`,
    faults: [
      [
        "I25",
        "order whose deposits bear a wrong part of the fixed fee",
        sql`coalesce(booked.taken, 0) <> least(charge.fee_fixed_units, coalesce(deposited.room, 0))`,
      ],
    ],
    from: sql`deposit_addresses charge
      cross join lateral (
        select sum(d.units - div(d.units::numeric * charge.fee_basis_points, 10000)) as room from deposits d
        where d.merchant_id = charge.merchant_id and d.deposit_address_id = charge.id and ${isConfirmed} and not d.unmatched
      ) deposited
      cross join lateral (
        select sum(units) as taken from ledger_entries e
        where e.merchant_id = charge.merchant_id and e.deposit_address_id = charge.id and e.kind = 'fixed_fee'
      ) booked
      where charge.merchant_id ${oneOf(merchantIds)} and charge.kind = 'order' and charge.fee_fixed_units > 0
        and charge.id > ${after}::uuid and charge.id <= ${upTo}::uuid`,
  });
}

/** The contents of addresses, compared with the sums of their entries. */
function findWrongContents(
  db: Queryable,
  { merchantIds }: LedgerScope,
  { after, upTo }: ChargeRange,
): Promise<Violation[]> {
  const inRange = sql`merchant_id ${oneOf(merchantIds)}
    and deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid`;
  const [isGas, isSuspense] = [
    sql`kind = any(${kindsOfHolding.gas}::text[])`,
    sql`kind = any(${kindsOfHolding.suspense}::text[])`,
  ];
  return findViolations(db, {
    sample: sql`deposit_address_id || ' ' || currency`,
    faults: [
      [
        "I25",
        "address whose content differs from the sum of its entries",
        sql`(coalesce(kept.units, 0), coalesce(kept.gas_units, 0), coalesce(kept.suspense_units, 0))
          <> (coalesce(counted.units, 0), coalesce(counted.gas_units, 0), coalesce(counted.suspense_units, 0))`,
      ],
      [
        "I25",
        "address with a wrong or missing time of its oldest money",
        sql`(coalesce(kept.units, 0) > 0) <> (kept.oldest_at is not null)`,
      ],
    ],
    from: sql`(
      select merchant_id, deposit_address_id, currency, units, gas_units, suspense_units, oldest_at
      from address_contents where ${inRange}
    ) kept full join (
      select merchant_id, deposit_address_id, currency,
        coalesce(sum(moved) filter (where not ${isGas} and not ${isSuspense}), 0) as units,
        coalesce(sum(moved) filter (where ${isGas}), 0) as gas_units,
        coalesce(sum(moved) filter (where ${isSuspense}), 0) as suspense_units
      from (
        select merchant_id, deposit_address_id, currency, kind, case when debit = 'on_addresses' then units else -units end as moved
        from ledger_entries where ${inRange} and 'on_addresses' in (debit, credit)
      ) moving
      group by merchant_id, deposit_address_id, currency
    ) counted using (merchant_id, deposit_address_id, currency)`,
  });
}

/** Units and numbers of lines by the key of a total: merchant, month, currency, kind and accounts, as one text. */
export type TotalSums = Map<string, bigint>;

/** Adds the sums of the entries of a range of charges. */
export async function addEntries(
  db: Queryable,
  sums: TotalSums,
  { merchantIds, after, upTo }: LedgerScope & ChargeRange,
): Promise<void> {
  const rows = await db.query<TotalRow>(sql`
    select concat_ws(' ', merchant_id, date_trunc('month', booked_at at time zone 'UTC')::date, currency, kind, debit, credit) as of,
      sum(units)::text as units, count(*) as lines
    from ledger_entries
    where merchant_id ${oneOf(merchantIds)} and deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid
    group by 1`);
  for (const [of, sum] of rows.flatMap(sumsOf)) sums.set(of, (sums.get(of) ?? 0n) + sum);
}

type TotalRow = { readonly of: string; readonly units: string; readonly lines: bigint };

function sumsOf({ of, units, lines }: TotalRow): [string, bigint][] {
  return [
    [of, BigInt(units)],
    [`${of}, lines`, lines],
  ];
}

/** The totals of these merchants that differ from the sums of their entries. */
export async function findWrongTotals(
  db: Queryable,
  { merchantIds }: LedgerScope,
  sums: TotalSums,
): Promise<Violation[]> {
  const rows = await db.query<TotalRow>(sql`
    select concat_ws(' ', merchant_id, month, currency, kind, debit, credit) as of, units::text as units, lines
    from ledger_totals where merchant_id ${oneOf(merchantIds)}`);
  const kept = new Map(rows.flatMap(sumsOf));
  return [...new Set([...sums.keys(), ...kept.keys()])]
    .filter((of) => (kept.get(of) ?? 0n) !== (sums.get(of) ?? 0n))
    .map((of) => violationOf("I25", "total that differs from the sum of its entries", of));
}
