import type { MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { isServerAnswering } from "@daric/postgres/tenants";
import { globally } from "./global-statements.ts";

/**
 * The merchants whose server answers, by the tables of the coordinator: each has an API key or a member. A statement leaves out a hung
 * server only by the names of merchants of the others.
 */
export async function readAnsweringMerchants(db: Queryable): Promise<{ readonly merchantId: MerchantId }[]> {
  const rows = await db.query<{ merchantId: MerchantId }>(
    globally(
      "merchants-of-coordinator",
      sql`
      select merchant_id as "merchantId" from api_key_directory
      union
      select merchant_id from memberships`,
    ),
  );
  return rows.filter(({ merchantId }) => isServerAnswering(merchantId));
}
