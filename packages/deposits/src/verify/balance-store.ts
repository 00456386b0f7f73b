import type { Currency } from "@daric/domain/asset";
import { offChainDepositStatuses } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { joinedOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";

export type CheckedAddress = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly currency: Currency;
};

/** The transfers of an address in our blocks up to a height, in minor units. */
export type RecordedBalance = {
  /** deposits, and TRX that its own transactions returned */
  readonly credited: bigint;
  /** outflows, and the most that the fees of its own transactions burnt */
  readonly left: bigint;
};

type Books = { readonly network: string; readonly addresses: readonly CheckedAddress[]; readonly to: number };

/** The recorded balances of addresses, each once in the list. */
export async function findRecordedBalances(
  db: Queryable,
  { network, addresses, to }: Books,
): Promise<ReadonlyMap<CheckedAddress, RecordedBalance>> {
  const found = new Map<CheckedAddress, RecordedBalance>();
  for (const list of inMerchantLists(addresses))
    for (const [index, recorded] of (await readBalances(db, { network, addresses: list, to })).entries()) {
      const checked = list[index];
      if (checked !== undefined) found.set(checked, recorded);
    }
  return found;
}

/** The recorded balances of addresses of at most 200 merchants of one shard, in their order. */
async function readBalances(db: Queryable, { network, addresses, to }: Books): Promise<RecordedBalance[]> {
  const merchantIds = addresses.map(({ merchantId }) => merchantId);
  const rows = await db.query<Record<keyof RecordedBalance, string>>(sql`
    select (coming.units + own.returned)::text as credited, (leaving.units + own.burnt)::text as left
    from unnest(${merchantIds}::uuid[], ${addresses.map(({ chargeId }) => chargeId)}::uuid[],
      ${addresses.map(({ address }) => address)}::text[], ${addresses.map(({ currency }) => currency)}::text[]
    ) with ordinality as checked (merchant_id, charge_id, address, currency, place)
    cross join lateral (
      select coalesce(sum(d.units), 0) as units from deposits d
      where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = checked.merchant_id
        and d.deposit_address_id = checked.charge_id and d.unmatched = any('{false,true}') and d.network = ${network}
        and d.currency = checked.currency and d.block_number <= ${to} and d.status <> all(${offChainDepositStatuses})
    ) coming
    cross join lateral (
      select coalesce(sum(o.units), 0) as units from outflows o
      where ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = checked.merchant_id
        and o.address = checked.address and o.block_number <= ${to} and o.network = ${network}
        and o.currency = checked.currency and ${isInChain(sql`o.block_id`)}
    ) leaving
    cross join lateral (
      select coalesce(sum(t.returned), 0) as returned, coalesce(sum(t.most_burnt), 0) as burnt
      from own_transactions t
      where ${joinedOf(sql`t.merchant_id`, merchantIds)} and t.merchant_id = checked.merchant_id
        and t.address = checked.address and t.block_number <= ${to} and t.network = ${network}
        and checked.currency = 'TRX' and ${isInChain(sql`t.block_id`)}
    ) own
    order by checked.place`);
  return rows.map(({ credited, left }) => ({ credited: BigInt(credited), left: BigInt(left) }));
}

const isInChain = (blockId: Sql) =>
  sql`exists (select from blocks b where b.id = ${blockId} and b.orphaned_at is null)`;
