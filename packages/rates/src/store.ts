import type { LocalCurrency } from "@daric/domain/fiat";
import { IMPORT_PREFIX, type Rate } from "@daric/domain/rate";
import { type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { Priced } from "./sources.ts";

/** Stores a rate for the current minute of the database's clock. The first of a minute stays. */
export async function storeRate(db: Queryable, rate: Rate): Promise<void> {
  const { currency, fiatCurrency, priceE8, source, fetchedAt } = rate;
  const isOfCoin = fiatCurrency === "USD";
  await db.query(sql`
    insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
    values (${isOfCoin ? currency : fiatCurrency}, date_trunc('minute', now()), ${isOfCoin ? priceE8 : null}::bigint,
      ${isOfCoin ? null : priceE8}::bigint, ${source}, ${fetchedAt})
    on conflict do nothing`);
}

/** Stored rates of a coin in USD, or of USDT in a currency, in 10^-8. */
export type KeptRates = {
  readonly lastHour: readonly bigint[];
  /** the newest that is 24 to 25 hours old */
  readonly dayAgo: bigint | undefined;
};

/** The stored rates of each of these. */
export async function findKeptRates(
  db: Queryable,
  wanted: readonly Priced[],
): Promise<ReadonlyMap<Priced, KeptRates>> {
  const rows = await db.query<{ code: Priced; priceE8: bigint; isOfDayAgo: boolean }>(sql`
    select currency as code, coalesce(usd_e8, tether_e8) as "priceE8", minute <= now() - interval '1 day' as "isOfDayAgo"
    from rates
    where currency = any(${wanted}::text[]) and not starts_with(source, ${IMPORT_PREFIX}) and (minute > now() - interval '1 hour'
      or minute > now() - interval '25 hours' and minute <= now() - interval '1 day')
    order by minute desc`);
  return new Map(
    wanted.map((priced) => {
      const own = rows.filter(({ code }) => code === priced);
      const lastHour = own.filter(({ isOfDayAgo }) => !isOfDayAgo).map(({ priceE8 }) => priceE8);
      return [priced, { lastHour, dayAgo: own.find(({ isOfDayAgo }) => isOfDayAgo)?.priceE8 }];
    }),
  );
}

/** The currencies of merchants' books other than USD. */
export async function listBookCurrencies(db: Queryable): Promise<LocalCurrency[]> {
  const rows = await db.query<{ code: LocalCurrency }>(
    globally(
      "book-currencies",
      sql`select distinct book_currency as code from merchants where book_currency <> 'USD'`,
    ),
  );
  return rows.map(({ code }) => code);
}
