import { formatBookAmount } from "@daric/domain/book-value";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { findBookValues } from "@daric/rates/find-book-values";
import type { ReadPart } from "../files/export.ts";
import { toJournalRows, valuedEntries } from "../journal/journal-rows.ts";
import { type BookedFact, type JournalPlace, listJournalFacts } from "../journal/journal-store.ts";
import { type BookTerms, getBookTerms } from "../terms/book-terms-store.ts";
import { exportColumns } from "./columns.ts";
import { type ListSource, pickColumns, type RowRange } from "./list-parts.ts";

/** The entries of a part. */
const ENTRIES = 100;

/** The fees that the service charged, the oldest first; those that it gave back are negative. */
export function openFeeList({ merchantId }: ListSource, range: RowRange): ReadPart {
  const question = { merchantId, ...range, kinds: ["fee", "fixed_fee", "fee_returned"] as const };
  return async (db, after) => {
    const { bookCurrency } = await getBookTerms(db, merchantId);
    const facts = await listJournalFacts(db, question, { limit: ENTRIES, after: placeOf(after) });
    const charged = facts.map((fact) => ({
      ...fact,
      units: fact.kind === "fee_returned" ? amountFromUnits(-fact.units) : fact.units,
      at: fact.valuedAt,
    }));
    const values = await findBookValues(db, bookCurrency, charged);
    const rows = charged.map((fact, index) => {
      const value = values[index];
      const row = {
        booked_at: fact.bookedAt.toISOString(),
        kind: fact.kind,
        currency: fact.currency,
        amount: formatAmount(fact.units),
        deposit_id: fact.depositId,
        deposit_address_id: fact.chargeId,
        order_ref: fact.orderRef,
        tx_hash: fact.txHash,
        valued_at: fact.valuedAt.toISOString(),
        book_currency: bookCurrency,
        book_amount: value && formatBookAmount(value),
      };
      return pickColumns(row, exportColumns.fees);
    });
    return { rows, next: nextOf(facts) };
  };
}

/**
 * The journal, the oldest entry first, a row for each line. The last row says how many entries have no value yet: their book amounts
 * stay empty until `daric rates import` brings the rates.
 */
export function openJournalList({ merchantId }: ListSource, range: RowRange): ReadPart {
  let terms: BookTerms | undefined;
  let unknown = 0;
  return async (db, after) => {
    // One file has one currency and one chart of accounts, even where they change meanwhile.
    terms ??= await getBookTerms(db, merchantId);
    const place = { limit: ENTRIES, after: placeOf(after) };
    const facts = await listJournalFacts(db, { merchantId, ...range }, place);
    const entries = await valuedEntries(db, terms.bookCurrency, facts);
    unknown += entries.filter(({ value }) => value === undefined).length;
    const next = nextOf(facts);
    const { bookCurrency, accountCodes } = terms;
    const rows = entries.flatMap((entry) => toJournalRows(entry, { bookCurrency, accountCodes }));
    const last = next === undefined ? [{ kind: "unknown_values", unknown_values: unknown }] : [];
    return { rows: [...rows, ...last].map((row) => pickColumns(row, exportColumns.journal)), next };
  };
}

function nextOf(facts: readonly BookedFact[]): string | undefined {
  const last = facts.length === ENTRIES ? facts.at(-1)?.place : undefined;
  return last && `${last.at}|${last.id}|${last.line}`;
}

function placeOf(after: string | undefined): JournalPlace | undefined {
  const [at, id, line] = after?.split("|") ?? [];
  return at === undefined || id === undefined ? undefined : { at, id, line: Number(line) };
}
