import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import { inMerchantLists } from "../../runtime/fair-rounds.ts";
import type { StoredDeposit } from "./agree.ts";

/** The ids of those of these deposits that are CONFIRMED with this amount. */
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
