import { type Queryable, sql } from "@daric/postgres/sql";
import type { Currency } from "../domain/asset.ts";
import type { Rate } from "../domain/rate.ts";

/** Keeps a rate as the one of this minute of the database's clock; the first of a minute stays. */
export async function storeRate(db: Queryable, { currency, usdE8, source, fetchedAt }: Rate): Promise<void> {
  await db.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values (${currency}, date_trunc('minute', now()), ${usdE8}, ${source}, ${fetchedAt})
    on conflict do nothing`);
}

/** What was kept of a currency, in 10^-8 USD: what a new rate is held against. */
export type KeptRates = {
  readonly lastHour: readonly bigint[];
  /** the newest of those that are a day old, and an hour more at most; undefined where there is none */
  readonly dayAgo: bigint | undefined;
};

/** Reads it. */
export async function findKeptRates(db: Queryable, currency: Currency): Promise<KeptRates> {
  const rows = await db.query<{ usdE8: bigint; isOfDayAgo: boolean }>(sql`
    select usd_e8 as "usdE8", minute <= now() - interval '1 day' as "isOfDayAgo" from rates
    where currency = ${currency} and (minute > now() - interval '1 hour'
      or minute > now() - interval '25 hours' and minute <= now() - interval '1 day')
    order by minute desc`);
  return {
    lastHour: rows.filter(({ isOfDayAgo }) => !isOfDayAgo).map(({ usdE8 }) => usdE8),
    dayAgo: rows.find(({ isOfDayAgo }) => isOfDayAgo)?.usdE8,
  };
}
