import { type Queryable, sql } from "@daric/postgres/sql";
import type { Currency } from "../domain/money.ts";
import type { Rate } from "../domain/rate.ts";

/** Keeps a rate as the one of this minute of the database's clock; the first of a minute stays. */
export async function storeRate(db: Queryable, { currency, usdE8, source, fetchedAt }: Rate): Promise<void> {
  await db.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values (${currency}, date_trunc('minute', now()), ${usdE8}, ${source}, ${fetchedAt})
    on conflict do nothing`);
}

/** What was kept of a currency in the last hour, in 10^-8 USD. */
export async function findRatesOfLastHour(db: Queryable, currency: Currency): Promise<bigint[]> {
  const rows = await db.query<{ usdE8: bigint }>(sql`
    select usd_e8 as "usdE8" from rates
    where currency = ${currency} and minute > now() - interval '1 hour'`);
  return rows.map(({ usdE8 }) => usdE8);
}
