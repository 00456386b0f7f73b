import { depositPrice } from "@daric/domain/book-price";
import { formatBookAmount } from "@daric/domain/book-value";
import type { FiatCurrency } from "@daric/domain/fiat";
import { type JournalLine, journalLines } from "@daric/domain/journal";
import { type AccountCodes, defaultAccountCodes } from "@daric/domain/journal-account";
import { formatAmountOrNull } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { findBookValues } from "@daric/rates/find-book-values";
import type { BookedFact } from "./journal-store.ts";

/** An entry with its lines. */
export type JournalEntry = BookedFact & {
  /** in minor units of the books' currency; undefined while it is not known */
  readonly value: bigint | undefined;
  readonly lines: readonly JournalLine[];
};

/** The entries of these facts, valued by one query. Facts that are no entry are left out. */
export async function valuedEntries(
  db: Queryable,
  bookCurrency: FiatCurrency,
  facts: readonly BookedFact[],
): Promise<JournalEntry[]> {
  const moments = facts.map(({ currency, units, valuedAt: at }) => ({ currency, units, at }));
  const values = await findBookValues(db, bookCurrency, moments);
  return facts.flatMap((fact, index) => {
    const value = values[index]?.amount;
    const { price: terms } = fact;
    const price = terms?.fiatCurrency === bookCurrency ? depositPrice(terms, terms) : undefined;
    const lines = journalLines(fact, { value, price });
    return lines.length === 0 ? [] : [{ ...fact, value, lines }];
  });
}

export const journalColumns = [
  "entry_id",
  "line",
  "booked_at",
  "valued_at",
  "kind",
  "account",
  "account_code",
  "currency",
  "debit",
  "credit",
  "book_currency",
  "book_debit",
  "book_credit",
  "deposit_address_id",
  "order_ref",
  "deposit_id",
  "refund_id",
  "tx_hash",
  "unknown_values",
] as const;

type Books = { readonly bookCurrency: FiatCurrency; readonly accountCodes: AccountCodes };

/** A row for each line of an entry. Amounts stand under the side of their account. */
export function toJournalRows(entry: JournalEntry, { bookCurrency, accountCodes }: Books): object[] {
  const { place } = entry;
  return entry.lines.map(({ account, side, units, book }, index) => ({
    entry_id: place.line === 0 ? place.id : `${place.id}-${place.line}`,
    line: index + 1,
    booked_at: entry.bookedAt.toISOString(),
    valued_at: entry.valuedAt.toISOString(),
    kind: entry.kind,
    account,
    account_code: accountCodes[account] ?? defaultAccountCodes[account],
    currency: units === undefined ? null : entry.currency,
    [side]: formatAmountOrNull(units ?? null),
    book_currency: bookCurrency,
    [`book_${side}`]: book === undefined ? null : formatBookAmount({ currency: bookCurrency, amount: book }),
    deposit_address_id: entry.chargeId,
    order_ref: entry.orderRef,
    deposit_id: entry.depositId,
    refund_id: entry.refundId,
    tx_hash: entry.txHash,
  }));
}
