import type { ChargeRef } from "@daric/domain/ids";
import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { hungServer, isSharded } from "@daric/postgres/tenants";
import { readAnsweringMerchants } from "@daric/runtime/answering-store";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { globally } from "@daric/runtime/global-statements";
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
