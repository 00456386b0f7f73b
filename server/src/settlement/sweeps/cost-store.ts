import { type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import type { ChargeId, MerchantId, SweepId } from "../../domain/ids.ts";
import { type Amount, amountFromUnits, amountIn } from "../../domain/money.ts";
import { globally } from "../../runtime/global-statements.ts";
import type { OpenSweep } from "./sweep-store.ts";

/** A transaction from one of our addresses, or a top-up of it, in a verified block. The ledger lacks its cost. */
export type UnbookedTransaction = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly isTopUp: boolean;
  /** the sun that a top-up brought */
  readonly brought: Amount<"TRX">;
  /** the most that its fees took */
  readonly maxBurnt: Amount<"TRX">;
  readonly sweepId: SweepId | null;
};

export async function listUnbooked(
  db: Queryable,
  { network, upTo, limit }: { network: string; upTo: number; limit: number },
): Promise<UnbookedTransaction[]> {
  const rows = await db.query<
    Omit<UnbookedTransaction, "brought" | "maxBurnt"> & Record<"brought" | "maxBurnt", string>
  >(
    globally(
      "unbooked-costs",
      sql`
        select own.merchant_id as "merchantId", own.deposit_address_id as "chargeId", own.tx_id as "txId", own.is_top_up as "isTopUp",
          own.returned::text as brought, own.most_burnt::text as "maxBurnt",
          (select t.sweep_id from sweep_transactions t where t.merchant_id = own.merchant_id and t.tx_id = own.tx_id) as "sweepId"
        from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null
        where own.network = ${network} and own.block_number <= ${upTo} and not own.is_booked
        order by own.block_number limit ${limit}`,
    ),
  );
  return rows.map((row) => ({
    ...row,
    brought: amountIn("TRX", BigInt(row.brought)),
    maxBurnt: amountIn("TRX", BigInt(row.maxBurnt)),
  }));
}

/** A delegation that has landed, or its return, sent by the stake account. The ledger lacks its cost. */
export type UnbookedLoan = Pick<UnbookedTransaction, "merchantId" | "chargeId" | "txId" | "sweepId">;

export async function listUnbookedLoans(db: Queryable, limit: number): Promise<UnbookedLoan[]> {
  return db.query<UnbookedLoan>(
    globally(
      "unbooked-loans",
      sql`
        select merchant_id as "merchantId", deposit_address_id as "chargeId", tx_id as "txId", sweep_id as "sweepId"
        from sweep_transactions
        where purpose in ('delegate', 'undelegate') and outcome = 'landed' and fee_units is null
        order by id limit ${limit}`,
    ),
  );
}

/** Stores the cost of a delegation; false if it was stored before. */
export async function markLoanBooked(
  tx: Transaction,
  { merchantId, txId }: UnbookedLoan,
  fee: Amount<"TRX">,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update sweep_transactions set fee_units = ${fee}
    where merchant_id = ${merchantId} and tx_id = ${txId} and fee_units is null returning tx_id`);
  return rows.length > 0;
}

/** Marks the cost as booked, and stores it with the sweep's transaction; false if it was marked before. */
export async function markBooked(
  tx: Transaction,
  {
    network,
    merchantId,
    txId,
    fee,
  }: { network: string; merchantId: MerchantId; txId: string; fee: Amount<"TRX"> },
): Promise<boolean> {
  const rows = await tx.query(sql`
    with own as (
      update own_transactions set is_booked = true, fee_units = ${fee}
      where merchant_id = ${merchantId} and network = ${network} and tx_id = ${txId} and not is_booked returning tx_id
    ), kept as (
      update sweep_transactions set fee_units = ${fee} where merchant_id = ${merchantId} and tx_id = ${txId}
    )
    select tx_id from own`);
  return rows.length > 0;
}

/** The sun that is left of top-ups on an address. Locks its row until the transaction ends. */
export async function lockGasContent(
  tx: Transaction,
  { merchantId, chargeId }: { merchantId: MerchantId; chargeId: ChargeId },
): Promise<Amount<"TRX">> {
  const rows = await tx.query<{ gas: string }>(sql`
    select gas_units::text as gas from address_contents
    where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and currency = 'TRX' for update`);
  return amountIn("TRX", BigInt(rows[0]?.gas ?? "0"));
}

/**
 * The most that nodes may see on an address at a height. It is the ledger's balance, with amounts that are not booked
 * yet, and with what left the address above that height. Anything more has no explanation.
 */
export async function sumExplained(
  db: Queryable,
  {
    merchantId,
    chargeId,
    currency,
    network,
    height,
  }: Pick<OpenSweep, "merchantId" | "chargeId" | "currency"> & { network: string; height: number },
): Promise<Amount> {
  const rows = await db.query<{ units: string }>(sql`
    select (coalesce((
        select units + gas_units + suspense_units from address_contents
        where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and currency = ${currency}), 0)
      + coalesce((
        select sum(units) from deposits
        where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and currency = ${currency}
          and confirmed_at is null and failed_at is null), 0)
      + coalesce((
        select sum(returned) from own_transactions
        where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and network = ${network} and not is_booked
          and ${currency} = 'TRX'), 0)
      + coalesce((
        select sum(o.units) from outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
        where o.merchant_id = ${merchantId} and o.deposit_address_id = ${chargeId} and o.currency = ${currency}
          and o.network = ${network} and o.block_number > ${height}), 0)
      + coalesce((
        select sum(own.most_burnt) from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null
        where own.merchant_id = ${merchantId} and own.deposit_address_id = ${chargeId} and own.network = ${network}
          and own.block_number > ${height} and ${currency} = 'TRX'), 0))::text as units`);
  return amountFromUnits(BigInt(rows[0]?.units ?? "0"));
}

/** The part of an address's content that a sweep may take, by the ledger, now and without what came above a height. */
export async function findContent(
  db: Queryable,
  {
    merchantId,
    chargeId,
    currency,
    height,
  }: Pick<OpenSweep, "merchantId" | "chargeId" | "currency"> & { height: number },
): Promise<{ readonly now: Amount; readonly settled: Amount }> {
  const rows = await db.query<Record<"now" | "settled", string>>(sql`
    select c.units::text as now, (c.units - ${unitsAbove(height)})::text as settled from address_contents c
    where c.merchant_id = ${merchantId} and c.deposit_address_id = ${chargeId} and c.currency = ${currency}`);
  const { now, settled } = rows[0] ?? { now: "0", settled: "0" };
  return { now: amountFromUnits(BigInt(now)), settled: amountFromUnits(BigInt(settled)) };
}

/** SQL: the units of address_contents (c) that deposits in blocks above a height brought. */
export function unitsAbove(height: number): Sql {
  return sql`coalesce((
    select sum(d.units) from deposits d
    where d.merchant_id = c.merchant_id and d.deposit_address_id = c.deposit_address_id and d.currency = c.currency
      and d.confirmed_at is not null and d.block_number > ${height}), 0)`;
}
