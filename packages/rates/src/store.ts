import type { Currency } from "@daric/domain/asset";
import type { Rate } from "@daric/domain/rate";
import { type Queryable, sql } from "@daric/postgres/sql";

/** Stores a rate for the current minute of the database's clock. The first of a minute stays. */
export async function storeRate(db: Queryable, { currency, usdE8, source, fetchedAt }: Rate): Promise<void> {
  await db.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values (${currency}, date_trunc('minute', now()), ${usdE8}, ${source}, ${fetchedAt})
    on conflict do nothing`);
}

/** Stored rates of a currency, in 10^-8 USD. */
export type KeptRates = {
  readonly lastHour: readonly bigint[];
  /** the newest that is 24 to 25 hours old */
  readonly dayAgo: bigint | undefined;
};

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
