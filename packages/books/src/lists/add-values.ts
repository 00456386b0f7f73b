import { depositPrice } from "@daric/domain/book-price";
import { formatBookAmount } from "@daric/domain/book-value";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { ChargeId, MerchantId, RefundId, SettlementId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { findBookValues } from "@daric/rates/find-book-values";
import { getBookTerms } from "../terms/book-terms-store.ts";
import { listRefundedPieces, listSettledPieces, type Piece, readPaidPieces } from "./piece-store.ts";

/** The sum of values of money, undefined as soon as one is not known; null where there is no money. */
class ValueSum {
  #sum: bigint | null | undefined = null;
  add(value: bigint | undefined): void {
    this.#sum = this.#sum === undefined || value === undefined ? undefined : (this.#sum ?? 0n) + value;
  }
  get value(): bigint | null | undefined {
    return this.#sum;
  }
}

/** Adds the value of each piece to its sum. */
async function addTo<P extends Piece>(
  db: Queryable,
  currency: FiatCurrency,
  { pieces, sumOf }: { readonly pieces: readonly P[]; readonly sumOf: (piece: P) => ValueSum },
): Promise<void> {
  const values = await findBookValues(db, currency, pieces);
  for (const [index, piece] of pieces.entries()) sumOf(piece).add(values[index]?.amount);
}

function mapped<Key>() {
  const sums = new Map<Key, ValueSum>();
  return (key: Key) => {
    const known = sums.get(key) ?? new ValueSum();
    sums.set(key, known);
    return known;
  };
}

type PricedCharge = {
  readonly id: ChargeId;
  readonly fiatCurrency: FiatCurrency | null;
  readonly fiatAmount: string | null;
};
const formatted = (currency: FiatCurrency) => (amount: bigint | null | undefined) =>
  amount === null || amount === undefined ? null : formatBookAmount({ currency, amount });

/**
 * Price, value and their difference of the money that each charge received, in the currency of the books. The price is known where the
 * order is priced in that currency; else it is the value.
 */
export async function findPaymentValues(
  db: Queryable,
  merchantId: MerchantId,
  charges: readonly PricedCharge[],
): Promise<(charge: PricedCharge) => object> {
  const { bookCurrency: currency } = await getBookTerms(db, merchantId);
  const sumOf = mapped<ChargeId>();
  const shares = new Map<ChargeId, bigint>();
  const ids = charges.map(({ id }) => id);
  for await (const pieces of readPaidPieces(db, merchantId, ids)) {
    await addTo(db, currency, { pieces, sumOf: ({ of }) => sumOf(of) });
    for (const { of, share } of pieces) shares.set(of, (shares.get(of) ?? 0n) + BigInt(share ?? 0));
  }
  const format = formatted(currency);
  return ({ id, fiatCurrency, fiatAmount }) => {
    const { value } = sumOf(id);
    const own = shares.get(id) ?? 0n;
    const isPriced = fiatCurrency === currency && fiatAmount !== null && own > 0n;
    const price = isPriced ? depositPrice({ fiatCurrency, fiatAmount }, { before: 0n, own }) : value;
    return {
      book_currency: currency,
      book_price: format(price),
      book_amount: format(value),
      book_difference: typeof value === "bigint" && typeof price === "bigint" ? format(value - price) : null,
    };
  };
}

/** The values of what settlements paid, and of what they cost. */
export async function findSettledValues(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly SettlementId[],
): Promise<(id: SettlementId) => object> {
  const { bookCurrency: currency } = await getBookTerms(db, merchantId);
  const pieces = await listSettledPieces(db, merchantId, ids);
  const sumOf = mapped<string>();
  await addTo(db, currency, { pieces, sumOf: ({ of, part }) => sumOf(`${of} ${part}`) });
  const format = formatted(currency);
  return (id) => ({
    book_currency: currency,
    book_amount: format(sumOf(`${id} amount`).value),
    book_fees_paid: format(sumOf(`${id} fees_paid`).value),
    book_network_cost: format(sumOf(`${id} network_cost`).value),
  });
}

/** The values of what completed refunds paid. */
export async function findRefundedValues(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly RefundId[],
): Promise<(id: RefundId) => object> {
  const { bookCurrency: currency } = await getBookTerms(db, merchantId);
  const pieces = await listRefundedPieces(db, merchantId, ids);
  const sumOf = mapped<RefundId>();
  await addTo(db, currency, { pieces, sumOf: ({ of }) => sumOf(of) });
  const format = formatted(currency);
  return (id) => ({ book_currency: currency, book_amount: format(sumOf(id).value) });
}
