import type { BookValue } from "@daric/domain/book-value";
import type { Queryable } from "@daric/postgres/sql";
import { findBookValues } from "@daric/rates/find-book-values";
import type { ListedDeposit } from "./list-store.ts";

/** A deposit with its value in the currency of the merchant's books; undefined until it is known, and for money that is not final. */
export type ValuedDeposit = ListedDeposit & { readonly value: BookValue | undefined };

/** Adds the values of deposits of one merchant, by one query. */
export async function valueDeposits(
  db: Queryable,
  deposits: readonly ListedDeposit[],
): Promise<ValuedDeposit[]> {
  const final = deposits.filter(({ status }) => status === "CONFIRMED");
  const [first] = final;
  if (first === undefined) return deposits.map((deposit) => ({ ...deposit, value: undefined }));
  const moments = final.map(({ currency, amount: units, blockTime: at }) => ({ currency, units, at }));
  const values = await findBookValues(db, first.bookCurrency, moments);
  const known = new Map(final.map(({ id }, index) => [id, values[index]]));
  return deposits.map((deposit) => ({ ...deposit, value: known.get(deposit.id) }));
}
