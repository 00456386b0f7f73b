import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { hungServer, isSharded } from "@daric/postgres/tenants";
import type { ChargeRef } from "../domain/ids.ts";
import { readAnsweringMerchants } from "../runtime/answering-store.ts";
import { byMerchantLists } from "../runtime/fair-rounds.ts";
import { globally } from "../runtime/global-statements.ts";
import { tokenBytes } from "./checkout-token.ts";

/** The references of the charges with these checkout tokens. Those on a server that does not answer are left out. */
export async function selectRefsByToken(db: Queryable, tokens: readonly string[]): Promise<ChargeRef[]> {
  if (!isSharded())
    return db.query<ChargeRef>(sql`
      select merchant_id as "merchantId", charge_id as id from token_directory
      where token = any(array(select unnest(${tokens.map(tokenBytes)}::bytea[])))`);
  const found = sql`
    select merchant_id as "merchantId", id from deposit_addresses where checkout_token = any(${tokens}::text[])`;
  if (hungServer() === undefined) return db.query<ChargeRef>(globally("charges-of-tokens", found));
  return byMerchantLists(await readAnsweringMerchants(db), (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<ChargeRef>(sql`${found} and merchant_id ${oneOf(merchantIds)}`);
  });
}
