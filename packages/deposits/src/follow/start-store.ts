import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** The creation time of the first charge: nothing was paid before. */
export async function findFirstChargeTime(db: Queryable): Promise<Date | undefined> {
  // No index orders all charges by time, so the first of each merchant is read.
  const statement = sql`
    select first.created_at from merchants merchant
    cross join lateral (
      select created_at from deposit_addresses where merchant_id = merchant.id order by id limit 1
    ) first
    order by first.created_at limit 1`;
  const row = maybeOne(await db.query<{ created_at: Date }>(globally("first-charge-time", statement)));
  return row?.created_at;
}
