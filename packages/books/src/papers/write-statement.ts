import { type MonthOfMerchant, readStatement } from "@daric/ledger/read-statement";
import { statementColumns, statementRows } from "@daric/ledger/statement-csv";
import { inSnapshot } from "@daric/ledger/store";
import type { Database, Queryable } from "@daric/postgres/sql";
import { MAX_PAPER_LINES, MAX_WORKBOOK_ROWS, refuseTooLarge } from "../files/export.ts";
import { openWorkbook } from "../files/workbook.ts";
import { getBookTerms } from "../terms/book-terms-store.ts";
import { writeStatementPaper } from "./statement-paper.ts";

type StatementFormat = { readonly format: "xlsx" | "pdf"; readonly language: string; readonly now: Date };

/**
 * The statement of a month as a file for people.
 *
 * @throws EXPORT_TOO_LARGE beyond {@link MAX_PAPER_LINES} entries of a PDF, or {@link MAX_WORKBOOK_ROWS} of a workbook.
 */
export async function writeStatement(
  db: Database,
  question: MonthOfMerchant,
  { format, language, now }: StatementFormat,
): Promise<Uint8Array> {
  return inSnapshot(db, async (tx) => {
    const page = { now, limit: MAX_PAPER_LINES, offset: 0 };
    const statement = await readStatement(tx, question, format === "pdf" ? page : { ...page, limit: 1 });
    const most = format === "pdf" ? MAX_PAPER_LINES : MAX_WORKBOOK_ROWS;
    if (statement.entryCount > most)
      refuseTooLarge(`A statement as ${format.toUpperCase()} has at most ${most} entries`);
    if (format === "xlsx") return workbookOf(tx, question);
    return writeStatementPaper(statement, await getBookTerms(tx, question.merchantId), language);
  });
}

async function workbookOf(db: Queryable, question: MonthOfMerchant): Promise<Uint8Array> {
  const workbook = openWorkbook(statementColumns);
  try {
    for await (const row of statementRows(db, question)) workbook.add([row]);
    return await workbook.finish();
  } finally {
    workbook.close();
  }
}
