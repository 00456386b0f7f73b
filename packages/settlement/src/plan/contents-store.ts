import { type Currency, perCurrency } from "@daric/domain/asset";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { type Amount, amountFromUnits, amountIn } from "@daric/domain/money";
import type { HeldContent } from "@daric/domain/sweep-price";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { OpenSweep } from "../sweeps/sweep-store.ts";

/** An address with confirmed money by the ledger, rests of top-ups and unexplained money included. */
export type AddressContent = HeldContent & {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  /** the xpub that its key is derived from, and the last step of the path */
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/**
 * The addresses of all merchants that hold money of a merchant or of an unknown source, at most `limit`. Those with most
 * tokens come first, then those with most TRX. An address that ever held TRX is activated.
 */
export async function listContents(db: Queryable, limit: number): Promise<AddressContent[]> {
  const rows = await db.query<Omit<AddressContent, "held"> & { units: Partial<Record<Currency, string>> }>(
    globally(
      "contents-by-hand",
      sql`
        select a.merchant_id as "merchantId", a.id as "chargeId", a.address, key.xpub, a.derivation_index as "derivationIndex",
          content.units, content.is_activated as "isActivated"
        from (
          select merchant_id, deposit_address_id, bool_or(currency = 'TRX') as is_activated,
            jsonb_object_agg(currency, greatest(units + gas_units + suspense_units, 0)::text) as units,
            coalesce(sum(units) filter (where currency <> 'TRX'), 0) as tokens, sum(units) as all_units
          from address_contents group by 1, 2 having sum(units + suspense_units) > 0
          order by tokens desc, all_units desc, deposit_address_id limit ${limit}
        ) content
        join deposit_addresses a on a.merchant_id = content.merchant_id and a.id = content.deposit_address_id
        join account_keys key on key.id = a.account_key_id
        order by content.tokens desc, content.all_units desc, a.id`,
    ),
  );
  return rows.map(({ units, ...row }) => ({
    ...row,
    held: perCurrency((currency) => amountIn(currency, BigInt(units[currency] ?? "0"))),
  }));
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
