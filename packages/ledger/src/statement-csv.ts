import { currencies } from "@daric/domain/asset";
import { type CsvMarks, type CsvReader, csvWriter } from "@daric/domain/csv";
import { type Amount, add, formatAmount, zero } from "@daric/domain/money";
import { statementBalance } from "@daric/domain/statement";
import type { Queryable } from "@daric/postgres/sql";
import { boundMonth, isMonthClosed, type MonthOfMerchant } from "./month.ts";
import { readMonthTotals } from "./month-totals.ts";
import { readEntries } from "./read-statement.ts";
import { toStatementEntryRow } from "./schema.ts";

export const statementColumns = [
  "booked_at",
  "kind",
  "currency",
  "amount",
  "balance",
  "deposit_address_id",
  "order_ref",
  "deposit_id",
  "tx_hash",
] as const;

type StatementQuestion = MonthOfMerchant & { readonly now: Date };
/** A file of CSV about a month of a merchant, for a person or a program. */
export type StatementFile = StatementQuestion & { readonly reader: CsvReader; readonly marks?: CsvMarks };

/** The statement of a month as CSV, line by line and in constant memory. */
export async function* statementCsv(
  db: Queryable,
  { reader, marks, ...question }: StatementFile,
): AsyncGenerator<string> {
  const { heading, line } = csvWriter(statementColumns, reader, marks);
  yield heading;
  for await (const row of statementRows(db, question)) yield line(row);
}

/**
 * The rows of a statement: the opening balance of each currency, every entry with the balance after it, and the closing balances. The last
 * ones of a month that is not over are those of `now`, and are named `so_far`.
 */
export async function* statementRows(
  db: Queryable,
  { now, ...question }: StatementQuestion,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const month = await boundMonth(db, question);
  const totals = await readMonthTotals(db, month);
  const balances = new Map(
    currencies.map((currency) => [currency, statementBalance(currency, question.month, totals).opening]),
  );
  const bounds = (at: Date, kind: "opening" | "closing" | "so_far") =>
    currencies.map((currency) => {
      const balance = formatAmount(balances.get(currency) ?? zero);
      return { booked_at: at.toISOString(), kind, currency, balance };
    });
  yield* bounds(month.from, "opening");
  for await (const entry of readEntries(db, question)) {
    const balance: Amount = add(balances.get(entry.currency) ?? zero, entry.amount);
    balances.set(entry.currency, balance);
    yield { ...toStatementEntryRow(entry), balance: formatAmount(balance) };
  }
  yield* isMonthClosed(month, now) ? bounds(month.to, "closing") : bounds(now, "so_far");
}
