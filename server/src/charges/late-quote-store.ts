import { maybeOne, milliseconds, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { Currency } from "../domain/money.ts";
import { MAX_STORED_RATE_AGE_MS, type QuotedPrice } from "../domain/quote.ts";
import type { Rate } from "../domain/rate.ts";
import type { ChargeOffer } from "./quote-store.ts";

/** A rate as it was stored, with the minute it was stored for. */
export type StoredRate = Omit<Rate, "currency"> & { readonly minute: Date };

/** The newest rate stored up to the minute of this time, unless it is older than may judge. */
export async function findStoredRate(
  db: Queryable,
  { currency, time }: { currency: Currency; time: Date },
): Promise<StoredRate | undefined> {
  const minute = sql`date_trunc('minute', ${time}::timestamptz)`;
  return maybeOne(
    await db.query<StoredRate>(sql`
      select usd_e8 as "usdE8", source, fetched_at as "fetchedAt", minute from rates
      where currency = ${currency} and minute <= ${minute}
        and minute >= ${minute} - ${milliseconds(MAX_STORED_RATE_AGE_MS)}
      order by minute desc limit 1`),
  );
}

/** A quote that nobody was offered, made of a stored rate. */
export type LateQuote = QuotedPrice & Pick<ChargeOffer, "id" | "merchantId" | "chargeId">;

/** Keeps quotes that are made of a stored rate; one that is there already is the same. They are of 200 merchants at most. */
export async function insertLateQuotes(
  tx: Transaction,
  quotes: readonly LateQuote[],
  rate: StoredRate,
): Promise<void> {
  const each = <T>(value: (quote: LateQuote) => T) => quotes.map(value);
  await tx.query(sql`
    insert into quotes (merchant_id, id, deposit_address_id, rate_e4, source, expected_units, pay_units, fetched_at,
      locked_at, expires_at, was_offered)
    select late.merchant_id, late.id, late.charge_id, late.rate_e4, ${rate.source}, late.expected_units, late.pay_units,
      ${rate.fetchedAt}::timestamptz, ${rate.minute}::timestamptz, ${rate.minute}::timestamptz + interval '1 minute', false
    from unnest(
      ${each(({ merchantId }) => merchantId)}::uuid[], ${each(({ id }) => id)}::uuid[],
      ${each(({ chargeId }) => chargeId)}::uuid[], ${each(({ rateE4 }) => rateE4)}::bigint[],
      ${each(({ expected }) => expected)}::bigint[], ${each(({ pay }) => pay)}::bigint[]
    ) as late (merchant_id, id, charge_id, rate_e4, expected_units, pay_units)
    on conflict (merchant_id, id) do nothing`);
}
