import type { Currency } from "@daric/domain/asset";
import { type BookValue, bookRate, bookValue } from "@daric/domain/book-value";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { Amount } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { findRatesOfMinutes, minuteKey } from "./book-rate-store.ts";
import type { Priced } from "./sources.ts";

/** Money, and the time of its block. */
export type BookMoment = { readonly currency: Currency; readonly units: Amount; readonly at: Date };

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
    const of = (priced: Priced) => known.get(minuteKey(priced, at));
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
