import type { StoredDeposit } from "@daric/deposits/verify/agree";
import type { Currency } from "@daric/domain/asset";
import { type DepositStatus, offChainDepositStatuses } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { literals, maybeOne, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { BlockRange } from "./chain-check-store.ts";
import type { CheckScope, DepositScope } from "./deposit-check-store.ts";
import type { ChargeRange } from "./id-range.ts";

const isOffChain = sql`status in (${literals(...offChainDepositStatuses)})`;

/** A final block of ours. */
export type FinalBlock = {
  readonly id: string;
  readonly number: number;
  readonly parentId: string;
  readonly transactionCount: number;
};

/** The first and the newest final block of ours, and the newest of all; undefined without a final one. */
export async function findFinalRange(
  db: Queryable,
  network: string,
): Promise<{ first: number; solid: number; cursor: number } | undefined> {
  const row = maybeOne(
    await db.query<{ first: bigint; solid: bigint; cursor: bigint }>(sql`
      select first.number as first, position.solid_number as solid, position.number as cursor
      from scan_cursors position
      cross join lateral (
        select number from blocks where network = position.network and orphaned_at is null order by number limit 1
      ) first
      where position.network = ${network}`),
  );
  if (row === undefined || row.first > row.solid) return undefined;
  return { first: Number(row.first), solid: Number(row.solid), cursor: Number(row.cursor) };
}

/** Our final blocks at these heights, in their order. */
export async function listFinalBlocks(
  db: Queryable,
  { network, solid, numbers }: { network: string; solid: number; numbers: readonly number[] },
): Promise<FinalBlock[]> {
  const rows = await db.query<Omit<FinalBlock, "number"> & { number: bigint }>(sql`
    select id, number, parent_id as "parentId", transaction_count as "transactionCount" from blocks
    where network = ${network} and orphaned_at is null and number <= ${solid} and number = any(${numbers}::bigint[])
    order by number`);
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** Some heights of a range with transfers to us, sampled by `seed`, each with its place in the sample. */
export async function samplePaidHeights(
  db: Queryable,
  { network, from, to }: BlockRange,
  { seed, limit }: { seed: number; limit: number },
): Promise<{ number: number; rank: bigint }[]> {
  const rows = await db.query<{ number: bigint; rank: bigint }>(sql`
    select number, hashtextextended(id, ${seed}) as rank from blocks
    where network = ${network} and orphaned_at is null and transfer_count > 0 and number between ${from} and ${to}
    order by rank limit ${limit}`);
  return rows.map(({ number, rank }) => ({ number: Number(number), rank }));
}

/** A deposit in the database. */
export type StoredTransfer = StoredDeposit & { readonly blockId: string; readonly status: DepositStatus };

/** The deposits in these blocks, and the rejected ones. */
export async function listStoredTransfers(
  db: Queryable,
  { network, merchantIds, ids, blockIds }: DepositScope & { blockIds: readonly string[] },
): Promise<StoredTransfer[]> {
  const rows = await db.query<Omit<StoredTransfer, "amount"> & { amount: bigint }>(sql`
    select merchant_id as "merchantId", deposit_address_id as "chargeId", id, block_id as "blockId", tx_id as "txId", source,
      event_index as "eventIndex", address, currency, units as amount, is_merkle_proven as "isMerkleProven", status
    from deposits
    where merchant_id ${oneOf(merchantIds)} and id between ${ids.from}::uuid and ${ids.to}::uuid
      and network = ${network} and (status <> 'FAILED' or decision is not distinct from 'rejected')
      and block_id = any(${blockIds}::text[])`);
  return rows.map(({ amount, ...row }) => ({ ...row, amount: amountFromUnits(amount) }));
}

/** An address with money, and the input of its derivation. */
export type PaidCharge = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly xpub: string;
  readonly derivationIndex: bigint;
  /** its rank in the sample */
  readonly rank: bigint;
};

/** Some addresses of a range with confirmed money, sampled by `seed`, in the order of their ranks. */
export async function samplePaidCharges(
  db: Queryable,
  { merchantIds, after, upTo }: Pick<CheckScope, "merchantIds"> & ChargeRange,
  { seed, limit }: { seed: number; limit: number },
): Promise<PaidCharge[]> {
  return db.query<PaidCharge>(sql`
    select charge.merchant_id as "merchantId", charge.id as "chargeId", charge.address, key.xpub,
      charge.derivation_index as "derivationIndex", sampled.rank
    from (
      select merchant_id, deposit_address_id, hashtextextended(deposit_address_id::text, ${seed}) as rank
      from charge_sums
      where merchant_id ${oneOf(merchantIds)} and deposit_address_id > ${after}::uuid
        and deposit_address_id <= ${upTo}::uuid and (confirmed > 0 or unmatched > 0)
      order by rank limit ${limit}
    ) sampled
    join deposit_addresses charge on charge.merchant_id = sampled.merchant_id and charge.id = sampled.deposit_address_id
    join account_keys key on key.id = charge.account_key_id`);
}

/**
 * The sums that reached and left an address up to a height, in our blocks, and the most that its fees took.
 */
export type Movements = {
  readonly currency: Currency;
  readonly came: bigint;
  readonly left: bigint;
  readonly maxBurnt: bigint;
};

/**
 * The money on an address at a height by the ledger: its content and the money in flight from it. Deposits that are not booked
 * yet are added, and such outflows are taken off.
 */
export async function sumLedger(
  db: Queryable,
  { network, charge, height }: { network: string; charge: PaidCharge; height: number },
): Promise<ReadonlyMap<Currency, bigint>> {
  const whereAddress = sql`merchant_id = ${charge.merchantId} and deposit_address_id = ${charge.chargeId}`;
  const rows = await db.query<{ currency: Currency; units: string }>(sql`
    select currency, sum(units)::text as units from (
      select currency, case when debit in ('on_addresses', 'in_flight') then units else 0 end
        - case when credit in ('on_addresses', 'in_flight') then units else 0 end as units
      from ledger_entries where ${whereAddress}
      union all
      select currency, case when is_booked then -units else units end
      from (
        select currency, units, block_number, confirmed_at is not null as is_booked from deposits
        where ${whereAddress} and network = ${network} and not ${isOffChain}
      ) deposit
      where is_booked = (block_number > ${height})
      union all
      select currency, case when is_booked then units else -units end
      from (
        select currency, units, block_number, not exists (
            select 1 from open_outflows o
            where o.merchant_id = outflow.merchant_id and o.network = outflow.network and o.tx_id = outflow.tx_id
              and o.source = outflow.source and o.event_index = outflow.event_index and o.address = outflow.address
          ) and not exists (
            select 1 from sweep_transactions t
            join sweeps s on s.merchant_id = t.merchant_id and s.id = t.sweep_id and s.status = 'SENT'
            where t.merchant_id = outflow.merchant_id and t.tx_id = outflow.tx_id
          ) as is_booked
        from outflows outflow
        where ${whereAddress} and network = ${network}
          and exists (select from blocks where blocks.id = outflow.block_id and orphaned_at is null)
      ) outflow
      where is_booked = (block_number > ${height})
      union all
      select 'TRX', case when not is_top_up then coalesce(fee_units, 0) when is_booked then -returned else returned end
      from own_transactions own
      where ${whereAddress} and network = ${network} and (is_top_up or is_booked) and is_booked = (block_number > ${height})
        and exists (select from blocks where blocks.id = own.block_id and orphaned_at is null)
    ) moved
    group by currency`);
  return new Map(rows.map(({ currency, units }) => [currency, BigInt(units)]));
}

export async function sumMovements(
  db: Queryable,
  { network, charge, height }: { network: string; charge: PaidCharge; height: number },
): Promise<Movements[]> {
  const upToHeight = sql`merchant_id = ${charge.merchantId} and network = ${network} and block_number <= ${height}`;
  const isInChain = sql`exists (select from blocks where blocks.id = moving.block_id and orphaned_at is null)`;
  const rows = await db.query<{ currency: Currency } & Record<"came" | "left" | "maxBurnt", string>>(sql`
    select currency, sum(came)::text as came, sum(gone)::text as left, sum(burnt)::text as "maxBurnt"
    from (
      select currency, units as came, 0 as gone, 0 as burnt from deposits
      where ${upToHeight} and deposit_address_id = ${charge.chargeId} and not ${isOffChain}
      union all
      select currency, 0, units, 0 from outflows moving
      where ${upToHeight} and address = ${charge.address} and ${isInChain}
      union all
      select 'TRX', returned, 0, most_burnt from own_transactions moving
      where ${upToHeight} and address = ${charge.address} and ${isInChain}
    ) movement
    group by currency`);
  return rows.map(({ currency, came, left, maxBurnt }) => ({
    currency,
    came: BigInt(came),
    left: BigInt(left),
    maxBurnt: BigInt(maxBurnt),
  }));
}
