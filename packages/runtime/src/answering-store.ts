import type { MerchantId } from "@daric/domain/ids";
import { oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { hungServer, isServerAnswering } from "@daric/postgres/tenants";
import { byMerchantLists } from "./fair-rounds.ts";
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

/**
 * The rows that a payer's tokens name on a sharded engine, of any merchant. Those on a server that does not answer are left out. `found`
 * ends in a condition, and its table has a `merchant_id`.
 */
export async function queryByTokens<Row extends object>(
  db: Queryable,
  name: "charges-of-tokens" | "links-of-tokens",
  found: Sql,
): Promise<Row[]> {
  if (hungServer() === undefined) return db.query<Row>(globally(name, found));
  return byMerchantLists(await readAnsweringMerchants(db), (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<Row>(sql`${found} and merchant_id ${oneOf(merchantIds)}`);
  });
}
