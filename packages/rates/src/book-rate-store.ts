import { MAX_BOOK_RATE_AGE_MS } from "@daric/domain/book-value";
import type { Rate } from "@daric/domain/rate";
import { milliseconds, type Queryable, sql } from "@daric/postgres/sql";
import { type Priced, quotedPair } from "./sources.ts";

const MINUTE_MS = 60_000;
/** A rate is stored in its own minute. So much later its transaction has ended. */
const SETTLED_MS = 5_000;

/** A price, and a time. */
type PricedMinute = { readonly priced: Priced; readonly at: Date };

/**
 * The rate of each minute, or the newest of the five before it, by {@link minuteKey}. `fetchedAt` is the minute of the rate. Left out are
 * unknown ones, and minutes that are not over.
 */
export async function findRatesOfMinutes(
  db: Queryable,
  wanted: readonly PricedMinute[],
): Promise<ReadonlyMap<string, Rate>> {
  const asked = [...new Map(wanted.map((one) => [minuteKey(one.priced, one.at), one])).entries()];
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

/** The key of a price in the minute of a time. */
export function minuteKey(priced: Priced, at: Date): string {
  return `${priced} ${minuteOf(at)}`;
}
