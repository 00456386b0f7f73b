import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "../../runtime/global-statements.ts";

/** When the first charge of this database was made: nothing can have been paid before. */
export async function findFirstChargeTime(db: Queryable): Promise<Date | undefined> {
  // Of each merchant the end of an index is read: no index has all charges by their time.
  const statement = sql`
    select first.created_at from merchants merchant
    cross join lateral (
      select created_at from deposit_addresses where merchant_id = merchant.id order by id limit 1
    ) first
    order by first.created_at limit 1`;
  const row = maybeOne(await db.query<{ created_at: Date }>(globally("first-charge-time", statement)));
  return row?.created_at;
}
