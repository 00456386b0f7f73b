import { amountFromUnits } from "@daric/domain/money";
import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import type { StoredDeposit } from "./agree.ts";

/** The CONFIRMED deposits from contract runs in this block, in the transactions of these transfers. */
export async function findConfirmedInBlock(
  db: Queryable,
  { network, blockId, observed }: { network: string; blockId: string; observed: readonly StoredDeposit[] },
): Promise<StoredDeposit[]> {
  const confirmed = new Map<string, StoredDeposit>();
  for (const list of inMerchantLists(observed)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await db.query<Omit<StoredDeposit, "amount"> & { amount: bigint }>(sql`
      select d.merchant_id as "merchantId", d.deposit_address_id as "chargeId", d.id, d.tx_id as "txId", d.source,
        d.event_index as "eventIndex", d.address, d.currency, d.units as amount, d.is_merkle_proven as "isMerkleProven"
      from unnest(${merchantIds}::uuid[], ${list.map(({ txId }) => txId)}::text[]) as reported (merchant_id, tx_id)
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = reported.merchant_id and d.tx_id = reported.tx_id
      where d.network = ${network} and d.block_id = ${blockId} and d.status = 'CONFIRMED' and d.source <> 'transfer'
      order by d.event_index, d.id`);
    for (const { amount, ...row } of rows) confirmed.set(row.id, { ...row, amount: amountFromUnits(amount) });
  }
  return [...confirmed.values()];
}

/** The ids of those of these payments that are CONFIRMED with this amount. */
export async function findKnownIds(
  db: Queryable,
  observed: readonly Pick<StoredDeposit, "merchantId" | "id" | "amount">[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const list of inMerchantLists(observed)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await db.query<{ id: string }>(sql`
      select d.id from unnest(${merchantIds}::uuid[], ${list.map(({ id }) => id)}::uuid[],
        ${list.map(({ amount }) => amount)}::numeric[]) as reported (merchant_id, id, units)
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = reported.merchant_id and d.id = reported.id
      where d.status = 'CONFIRMED' and d.units = reported.units`);
    for (const { id } of rows) known.add(id);
  }
  return known;
}
