import { MAX_BOOK_RATE_AGE_MS } from "@daric/domain/book-value";
import { milliseconds, one, sql, type Transaction } from "@daric/postgres/sql";
import type { ImportedRate } from "./read-rates-file.ts";
import { isCoin, type Priced } from "./sources.ts";

/** One import at a time: two would each take the rates of the other for unknown. */
const IMPORT_LOCK = 0x72_61_74_65_73n;

/**
 * Stores the rates of minutes for which none was known: neither of the minute nor of the five before it. The statement sees the rates as they
 * were before it, so lines of one file do not exclude each other. Returns their number.
 */
export async function insertMissingRates(
  tx: Transaction,
  priced: Priced,
  rates: readonly ImportedRate[],
): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`);
  const price = isCoin(priced) ? sql`line.price, null` : sql`null, line.price`;
  const { stored } = one(
    await tx.query<{ stored: bigint }>(sql`
      with stored as (
        insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
        select ${priced}, line.minute, ${price}, line.source, now()
        from (
          select to_timestamp(ms / 1000) as minute, price, source
          from unnest(${rates.map(({ minuteMs }) => minuteMs)}::bigint[], ${rates.map(({ priceE8 }) => priceE8)}::bigint[],
            ${rates.map(({ source }) => source)}::text[]) as of_file (ms, price, source)
        ) line
        left join rates known on known.currency = ${priced} and known.minute <= line.minute
          and known.minute >= line.minute - ${milliseconds(MAX_BOOK_RATE_AGE_MS)}
        where known.minute is null
        on conflict do nothing
        returning 1
      )
      select count(*) as stored from stored`),
  );
  return Number(stored);
}
