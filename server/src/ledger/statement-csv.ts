import type { Queryable } from "@daric/postgres/sql";
import { currencies } from "../domain/asset.ts";
import { type Amount, add, formatAmount, zero } from "../domain/money.ts";
import { type StatementEntry, statementBalance } from "../domain/statement.ts";
import { monthBounds } from "./month.ts";
import { type MonthOfMerchant, readEntries } from "./read-statement.ts";
import { listTotals } from "./store.ts";

const columns = [
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

/**
 * The statement of a month as CSV (RFC 4180), line by line and in constant memory. It has the opening balance of each
 * currency, every entry with the balance after it, and the closing balances.
 */
export async function* statementCsv(db: Queryable, question: MonthOfMerchant): AsyncGenerator<string> {
  const { merchantId, month } = question;
  const { from, to } = monthBounds(month);
  const totals = await listTotals(db, merchantId);
  const balances = new Map(
    currencies.map((currency) => [currency, statementBalance(currency, month, totals).opening]),
  );
  const bounds = (at: Date, kind: "opening" | "closing") =>
    currencies.map((currency) =>
      rowOf([
        at.toISOString(),
        kind,
        currency,
        "",
        formatAmount(balances.get(currency) ?? zero),
        "",
        "",
        "",
        "",
      ]),
    );
  yield [rowOf(columns), ...bounds(from, "opening")].join("");
  for await (const entry of readEntries(db, question)) {
    const balance: Amount = add(balances.get(entry.currency) ?? zero, entry.amount);
    balances.set(entry.currency, balance);
    yield rowOf(cellsOf(entry, balance));
  }
  yield bounds(to, "closing").join("");
}

function cellsOf(entry: StatementEntry, balance: Amount): string[] {
  return [
    entry.bookedAt.toISOString(),
    entry.kind,
    entry.currency,
    formatAmount(entry.amount),
    formatAmount(balance),
    entry.chargeId,
    harmless(entry.orderRef ?? ""),
    entry.depositId ?? "",
    entry.txHash ?? "",
  ];
}

/** Escapes a text that a spreadsheet would run as a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function rowOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}
