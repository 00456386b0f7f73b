import { literals, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { Currency } from "../domain/asset.ts";
import type { MerchantId } from "../domain/ids.ts";
import { type Amount, amountFromUnits } from "../domain/money.ts";
import { endedSweepStatuses } from "../domain/sweep.ts";

/** The price of the first sweep of an address now, and the sums from which it is made. */
export type SweepTerms = {
  readonly currency: Currency;
  /** in sun */
  readonly price: bigint;
  /** the price in 10^-8 USD; undefined without a rate of TRX */
  readonly priceUsdE8: bigint | undefined;
  /** units; undefined without rates */
  readonly paysFrom: bigint | undefined;
  /** units of money that is older than `oldAfterMs` */
  readonly oldPaysFrom: bigint | undefined;
  readonly oldAfterMs: number;
};

export type FoundTerms = SweepTerms & { readonly foundAt: Date };

/** Stores the terms of a coin in place of older ones. */
export async function saveTerms(tx: Transaction, terms: FoundTerms): Promise<void> {
  const { currency, price, priceUsdE8, paysFrom, oldPaysFrom, oldAfterMs, foundAt } = terms;
  await tx.query(sql`
    insert into sweep_terms (currency, price, price_usd_e8, pays_from, old_pays_from, old_after_ms, found_at)
    values (${currency}, ${price}, ${priceUsdE8 ?? null}, ${paysFrom ?? null}, ${oldPaysFrom ?? null}, ${oldAfterMs}, ${foundAt})
    on conflict (currency) do update set price = excluded.price, price_usd_e8 = excluded.price_usd_e8,
      pays_from = excluded.pays_from, old_pays_from = excluded.old_pays_from, old_after_ms = excluded.old_after_ms,
      found_at = excluded.found_at`);
}

type TermsRow = Pick<FoundTerms, "currency" | "foundAt"> & {
  readonly price: string;
  readonly oldAfterMs: number;
} & Readonly<Record<"priceUsdE8" | "paysFrom" | "oldPaysFrom", string | null>>;

/** The terms that the settlement role last found, of each coin; none before its first plan. */
export async function readSweepTerms(db: Queryable): Promise<FoundTerms[]> {
  const rows = await db.query<TermsRow>(sql`
    select currency, price::text as price, price_usd_e8::text as "priceUsdE8", pays_from::text as "paysFrom",
      old_pays_from::text as "oldPaysFrom", old_after_ms::float8 as "oldAfterMs", found_at as "foundAt"
    from sweep_terms order by currency desc`);
  const unitsOf = (text: string | null) => (text === null ? undefined : BigInt(text));
  return rows.map((row) => ({
    ...row,
    price: BigInt(row.price),
    priceUsdE8: unitsOf(row.priceUsdE8),
    paysFrom: unitsOf(row.paysFrom),
    oldPaysFrom: unitsOf(row.oldPaysFrom),
  }));
}

/** The contents of a merchant that no sweep takes under some terms. `oldestAt` is null if there are none. */
export type SmallSum = { readonly addresses: number; readonly units: Amount; readonly oldestAt: Date | null };

/** The sum of the merchant's contents without an open sweep that the terms leave out; without rates all of them. */
export async function sumSmall(
  db: Queryable,
  { merchantId, terms, now }: { merchantId: MerchantId; terms: SweepTerms; now: Date },
): Promise<SmallSum> {
  const { currency, paysFrom, oldPaysFrom, oldAfterMs } = terms;
  const oldBefore = new Date(now.getTime() - oldAfterMs);
  const row = one(
    await db.query<Omit<SmallSum, "units"> & { units: string }>(sql`
      select count(*)::float8 as addresses, coalesce(sum(c.units), 0)::text as units, min(c.oldest_at) as "oldestAt"
      from address_contents c
      where c.merchant_id = ${merchantId} and c.currency = ${currency} and c.units > 0
        and (${paysFrom ?? null}::numeric is null or c.units < ${paysFrom ?? null}::numeric)
        and (${oldPaysFrom ?? null}::numeric is null or c.units < ${oldPaysFrom ?? null}::numeric or c.oldest_at > ${oldBefore})
        and not exists (
          select from sweeps s where s.merchant_id = c.merchant_id and s.deposit_address_id = c.deposit_address_id
            and s.status not in (${literals(...endedSweepStatuses)}))`),
  );
  return { ...row, units: amountFromUnits(BigInt(row.units)) };
}
