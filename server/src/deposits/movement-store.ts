import { joinedOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { offChainDepositStatuses } from "../domain/deposit.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import type { Currency } from "../domain/money.ts";

/** One address and one currency, from a block on. */
export type Purse = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly currency: Currency;
  readonly from: number;
  readonly readAt: Date;
};

/** The same purse from the first block on. */
export function wholeOf(purse: Purse): Purse {
  return { ...purse, from: 0, readAt: new Date(0) };
}

/** What our blocks show of a purse, in units of its currency. */
export type PurseMovement = {
  /** came and is beyond doubt (covered, or confirmed), or came back by a transaction of the address itself */
  readonly came: bigint;
  readonly left: bigint;
  /** what the fees of the address's own transactions took at most: never of a token */
  readonly mostBurnt: bigint;
};

/**
 * What our blocks show to have come to purses up to one height and to have left them up to another, in their order; of 200
 * merchants at most. A transaction lives for a day at most, so that nothing stored earlier than that before a purse was read
 * can have moved into its blocks.
 */
export async function findMovements(
  db: Queryable,
  { network, purses, cameTo, leftTo, isProven = false }: MovementsOf,
): Promise<PurseMovement[]> {
  if (purses.length === 0) return [];
  const merchantIds = purses.map(({ merchantId }) => merchantId);
  const rows = await db.query<Record<keyof PurseMovement, string>>(sql`
    select (coming.units + own.returned)::text as came, leaving.units::text as left, own.burnt::text as "mostBurnt"
    from unnest(${merchantIds}::uuid[], ${purses.map(({ chargeId }) => chargeId)}::uuid[],
      ${purses.map(({ address }) => address)}::text[], ${purses.map(({ currency }) => currency)}::text[],
      ${purses.map(({ from }) => from)}::bigint[], ${purses.map(({ readAt }) => readAt)}::timestamptz[]
    ) with ordinality as purse (merchant_id, charge_id, address, currency, from_number, read_at, place)
    cross join lateral (
      select coalesce(sum(d.units), 0) as units from deposits d
      where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = purse.merchant_id
        and d.deposit_address_id = purse.charge_id and d.unmatched = any('{false,true}')
        and d.created_at >= purse.read_at - interval '1 day' and d.network = ${network} and d.currency = purse.currency
        and d.block_number between purse.from_number and ${cameTo}
        and (d.is_covered or d.confirmed_at is not null) and d.status <> all(${offChainDepositStatuses})
    ) coming
    cross join lateral (
      select coalesce(sum(o.units), 0) as units from outflows o
      where ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = purse.merchant_id
        and o.address = purse.address and o.block_number between purse.from_number and ${leftTo} and o.network = ${network}
        and o.currency = purse.currency and (o.is_covered or not ${isProven}) and ${isInChain(sql`o.block_id`)}
    ) leaving
    cross join lateral (
      select coalesce(sum(t.returned), 0) as returned,
        coalesce(sum(t.most_burnt) filter (where t.block_number <= ${leftTo}), 0) as burnt
      from own_transactions t
      where ${joinedOf(sql`t.merchant_id`, merchantIds)} and t.merchant_id = purse.merchant_id
        and t.address = purse.address and t.block_number between purse.from_number and ${cameTo}
        and t.network = ${network} and purse.currency = 'TRX' and ${isInChain(sql`t.block_id`)}
    ) own
    order by purse.place`);
  return rows.map(({ came, left, mostBurnt }) => ({
    came: BigInt(came),
    left: BigInt(left),
    mostBurnt: BigInt(mostBurnt),
  }));
}

const isInChain = (blockId: Sql) =>
  sql`exists (select from blocks b where b.id = ${blockId} and b.orphaned_at is null)`;

type MovementsOf = {
  readonly network: string;
  readonly purses: readonly Purse[];
  readonly cameTo: number;
  readonly leftTo: number;
  /** of what left, only what the roots of blocks cover */
  readonly isProven?: boolean;
};
