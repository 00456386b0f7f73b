import type { ChargeRef } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { queryByTokens } from "@daric/runtime/answering-store";
import { tokenBytes } from "./checkout-token.ts";

/** The references of the charges with these checkout tokens. Those on a server that does not answer are left out. */
export async function selectRefsByToken(db: Queryable, tokens: readonly string[]): Promise<ChargeRef[]> {
  if (!isSharded())
    return db.query<ChargeRef>(sql`
      select merchant_id as "merchantId", charge_id as id from token_directory
      where token = any(array(select unnest(${tokens.map(tokenBytes)}::bytea[])))`);
  const found = sql`
    select merchant_id as "merchantId", id from deposit_addresses where checkout_token = any(${tokens}::text[])`;
  return queryByTokens<ChargeRef>(db, "charges-of-tokens", found);
}
