import type { Currency } from "@daric/domain/asset";
import { type BookValue, bookRate, bookValue, MAX_BOOK_RATE_AGE_MS } from "@daric/domain/book-value";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { Amount } from "@daric/domain/money";
import type { Rate } from "@daric/domain/rate";
import { milliseconds, type Queryable, sql } from "@daric/postgres/sql";
import { type Priced, quotedPair } from "./sources.ts";

/** Money, and the time of its block. */
export type BookMoment = { readonly currency: Currency; readonly units: Amount; readonly at: Date };

const MINUTE_MS = 60_000;
/** A rate is stored in its own minute. So much later its transaction has ended. */
const SETTLED_MS = 5_000;

/**
 * The values of money in the currency of books, in the order of `moments`, by one query. A rate of the block's minute counts, or the newest
 * of the five minutes before it. Undefined while one is missing, and until the block's minute is over: a value never changes once it is known.
 */
export async function findBookValues(
  db: Queryable,
  bookCurrency: FiatCurrency,
  moments: readonly BookMoment[],
): Promise<(BookValue | undefined)[]> {
  const known = await findRatesOfMinutes(
    db,
    moments.flatMap(({ currency, at }) => partsOf(currency, bookCurrency).map((priced) => ({ priced, at }))),
  );
  return moments.map(({ currency, units, at }) => {
    const of = (priced: Priced) => known.get(keyOf(priced, at));
    const local = bookCurrency === "USD" ? undefined : of(bookCurrency);
    const rate = bookRate(currency, bookCurrency, { coin: of(currency), local, tether: of("USDT") });
    return rate && bookValue(units, rate);
  });
}

/** The prices behind the value of a coin. */
function partsOf(currency: Currency, bookCurrency: FiatCurrency): readonly Priced[] {
  if (bookCurrency === "USD") return [currency];
  return currency === "USDT" ? [bookCurrency] : [currency, bookCurrency, "USDT"];
}

type PricedMinute = { readonly priced: Priced; readonly at: Date };

async function findRatesOfMinutes(
  db: Queryable,
  wanted: readonly PricedMinute[],
): Promise<ReadonlyMap<string, Rate>> {
  const asked = [...new Map(wanted.map((one) => [keyOf(one.priced, one.at), one])).entries()];
  if (asked.length === 0) return new Map();
  const rows = await db.query<RateRow>(sql`
    select asked.key, asked.priced, rate."priceE8", rate.source, rate.minute
    from unnest(${asked.map(([key]) => key)}::text[], ${asked.map(([, { priced }]) => priced)}::text[],
      ${asked.map(([, { at }]) => new Date(minuteOf(at)).toISOString())}::timestamptz[]) asked (key, priced, minute)
    cross join lateral (
      select coalesce(usd_e8, tether_e8) as "priceE8", source, minute from rates
      where currency = asked.priced and minute <= asked.minute
        and minute >= asked.minute - ${milliseconds(MAX_BOOK_RATE_AGE_MS)}
      order by minute desc limit 1
    ) rate
    where asked.minute <= now() - ${milliseconds(MINUTE_MS + SETTLED_MS)}`);
  return new Map(
    rows.map(({ key, priced, priceE8, source, minute }) => [
      key,
      { ...quotedPair(priced), priceE8, source, fetchedAt: minute },
    ]),
  );
}

type RateRow = {
  readonly key: string;
  readonly priced: Priced;
  readonly priceE8: bigint;
  readonly source: string;
  readonly minute: Date;
};

function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
}

function keyOf(priced: Priced, at: Date): string {
  return `${priced} ${minuteOf(at)}`;
}
