import type { Currency } from "@daric/domain/asset";
import type { FiatCurrency } from "@daric/domain/fiat";
import { MAX_STORED_RATE_AGE_MS } from "@daric/domain/quote";
import { IMPORT_PREFIX, type Rate, throughTether } from "@daric/domain/rate";
import { empty, maybeOne, milliseconds, type Queryable, sql } from "@daric/postgres/sql";

/** A stored rate with its minute; `localMinute`: that of the rate of a currency other than USD in it. */
export type StoredRate = Rate & { readonly minute: Date; readonly localMinute?: Date };

/**
 * The newest rate stored up to the minute of this time; undefined if a price in USD in it is more than an hour older. The rate of a
 * currency may be older, since it is stored only while orders are priced in it: the caller bounds `localMinute`.
 */
export async function findStoredRate(
  db: Queryable,
  wanted: { readonly currency: Currency; readonly fiatCurrency: FiatCurrency; readonly time: Date },
): Promise<StoredRate | undefined> {
  const { currency, fiatCurrency, time } = wanted;
  const inUsd = async (coin: Currency, at: Date): Promise<StoredRate | undefined> => {
    const found = await findNewest(db, { code: coin, time: at, maxAgeMs: MAX_STORED_RATE_AGE_MS });
    return found && { currency: coin, fiatCurrency: "USD", ...found };
  };
  if (fiatCurrency === "USD") return inUsd(currency, time);
  const localRow = await findNewest(db, { code: fiatCurrency, time });
  if (localRow === undefined) return undefined;
  const localMinute = localRow.minute;
  const local = { currency: "USDT", fiatCurrency, ...localRow, localMinute } as const;
  if (currency === "USDT") return local;
  // The rate of the currency is a price of USDT, so it goes with the dollars of its own minute.
  const [coin, tether] = [await inUsd(currency, time), await inUsd("USDT", localMinute)];
  return coin && tether && { ...throughTether(coin, { local, tether }), minute: coin.minute, localMinute };
}

async function findNewest(
  db: Queryable,
  { code, time, maxAgeMs }: { code: string; time: Date; maxAgeMs?: number },
): Promise<Pick<StoredRate, "priceE8" | "source" | "fetchedAt" | "minute"> | undefined> {
  const minute = sql`date_trunc('minute', ${time}::timestamptz)`;
  const limit = maxAgeMs === undefined ? empty : sql`and minute >= ${minute} - ${milliseconds(maxAgeMs)}`;
  return maybeOne(
    await db.query(sql`
      select coalesce(usd_e8, tether_e8) as "priceE8", source, fetched_at as "fetchedAt", minute from rates
      where currency = ${code} and minute <= ${minute} ${limit} and not starts_with(source, ${IMPORT_PREFIX})
      order by minute desc limit 1`),
  );
}
