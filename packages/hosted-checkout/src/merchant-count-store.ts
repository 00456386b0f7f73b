import { type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** Whether the deployment has more than one merchant. */
export async function hasSeveralMerchants(db: Queryable): Promise<boolean> {
  const rows = await db.query(globally("several-merchants", sql`select id from merchants limit 2`));
  return rows.length > 1;
}
