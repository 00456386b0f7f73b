import type { Currency } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { endedSweepStatuses } from "@daric/domain/sweep";
import { literals, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** The price of the first sweep of an address now, and the sums from which it is made. */
export type SweepTerms = {
  readonly currency: Currency;
  /** in sun */
  readonly price: bigint;
  /** the price in 10^-8 USD; undefined without a rate of TRX */
  readonly priceUsdE8: bigint | undefined;
  /** of a transfer by hand, in sun; undefined in terms that an older version found */
  readonly handPrice: bigint | undefined;
  readonly handPriceUsdE8: bigint | undefined;
  /** units that are worth as much as a transfer by hand costs; undefined without rates */
  readonly handPaysFrom: bigint | undefined;
  /** units; undefined without rates */
  readonly paysFrom: bigint | undefined;
  /** units of money that is older than `oldAfterMs` */
  readonly oldPaysFrom: bigint | undefined;
  readonly oldAfterMs: number;
};

export type FoundTerms = SweepTerms & { readonly foundAt: Date };

/** Stores the terms of the coins in place of older ones. */
export async function saveTerms(
  tx: Transaction,
  { terms, foundAt }: { terms: readonly SweepTerms[]; foundAt: Date },
): Promise<void> {
  const written = JSON.stringify(terms, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  await tx.query(sql`update settlement_control set terms = ${written}::jsonb, terms_found_at = ${foundAt}`);
}

/** Terms in JSON: each bigint is a text, and what is undefined is left out. */
type WrittenTerms = Pick<SweepTerms, "currency" | "oldAfterMs"> & { readonly price: string } & Readonly<
    Partial<Record<Exclude<keyof SweepTerms, "currency" | "oldAfterMs" | "price">, string>>
  >;

/** The terms that the settlement role last found, of each coin; none before its first plan. */
export async function readSweepTerms(db: Queryable): Promise<FoundTerms[]> {
  const { terms, foundAt } = one(
    await db.query<{ terms: readonly WrittenTerms[]; foundAt: Date }>(sql`
      select coalesce(terms, '[]') as terms, terms_found_at as "foundAt" from settlement_control`),
  );
  const unitsOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));
  return terms.map((written) => ({
    currency: written.currency,
    oldAfterMs: written.oldAfterMs,
    price: BigInt(written.price),
    priceUsdE8: unitsOf(written.priceUsdE8),
    handPrice: unitsOf(written.handPrice),
    handPriceUsdE8: unitsOf(written.handPriceUsdE8),
    handPaysFrom: unitsOf(written.handPaysFrom),
    paysFrom: unitsOf(written.paysFrom),
    oldPaysFrom: unitsOf(written.oldPaysFrom),
    foundAt,
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
