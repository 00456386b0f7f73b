import { type Queryable, sql } from "@daric/postgres/sql";
import { hungServer } from "@daric/postgres/tenants";
import { globally } from "@daric/runtime/global-statements";

/** Whether the deployment has more than one merchant. While a server of the database hangs, those with an API key or a member count. */
export async function hasSeveralMerchants(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    hungServer() === undefined
      ? globally("several-merchants", sql`select id from merchants limit 2`)
      : globally(
          "several-on-coordinator",
          sql`select merchant_id from api_key_directory union select merchant_id from memberships limit 2`,
        ),
  );
  return rows.length > 1;
}
