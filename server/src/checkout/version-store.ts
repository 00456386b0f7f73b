import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { tokenBytes } from "../charges/checkout-token.ts";

/**
 * Of a `charge` with its `sums`, its `merchant` and the `chain` as it was read: which transactions wrote the rows last, and what
 * time does to them, which is the confirmations of a deposit on its way, the end of the time to pay and that of the rate.
 * Whatever changes a deposit writes its sums; whatever makes a quote that counts writes its charge.
 */
export const CHECKOUT_VERSION: Sql = sql`
  concat_ws(' ', charge.xmin, merchant.xmin, sums.xmin, case when sums.open > 0 then chain.number end,
    chain.time > charge.expires_at, case when charge.quote_expires_at <= now() then 'lapsed' end)`;

/** How far the chain was read. */
export const CHAIN_PLACE: Sql = sql`(select max(number) as number, max(time) as time from scan_cursors) chain`;

/**
 * Those of the tokens whose checkout is not of the version beside it any more: one statement, which looks at three rows of each
 * and at no deposit.
 */
export async function findChangedTokens(
  db: Queryable,
  tokens: readonly string[],
  versions: readonly string[],
): Promise<string[]> {
  // A limit keeps the planner to the keys of the tables, however long it takes the list to be.
  const rows = await db.query<{ token: string }>(sql`
    select now_shown.token
    from unnest(${tokens.map(tokenBytes)}::bytea[], ${versions}::text[]) as known (token, version)
    cross join ${CHAIN_PLACE}
    cross join lateral (
      select charge.checkout_token as token, ${CHECKOUT_VERSION} as version
      from token_directory directory
      join deposit_addresses charge
        on charge.merchant_id = directory.merchant_id and charge.id = directory.charge_id
      join merchants merchant on merchant.id = directory.merchant_id
      left join charge_sums sums
        on sums.merchant_id = directory.merchant_id and sums.deposit_address_id = directory.charge_id
      where directory.token = known.token limit 1
    ) now_shown
    where now_shown.version <> known.version`);
  return rows.map(({ token }) => token);
}
