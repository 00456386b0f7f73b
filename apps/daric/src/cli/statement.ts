import { type CsvMarks, csvSeparators, decimalMarks } from "@daric/domain/csv";
import { MONTH_PATTERN, MONTH_RULE, type MonthOfMerchant } from "@daric/ledger/month";
import { readEntries, readStatement } from "@daric/ledger/read-statement";
import { toStatementEntryRow, toStatementRow } from "@daric/ledger/schema";
import { statementCsv } from "@daric/ledger/statement-csv";
import { inSnapshot } from "@daric/ledger/store";
import { getMerchant } from "@daric/merchants/get-merchant";
import type { Transaction } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { OutputOptions } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

type StatementOptions = OutputOptions & CsvMarks & { readonly merchant: string; readonly month: string };

/** `daric statement`: a merchant's statement of one month. */
export function addStatementCommand(program: Command, terminal: Terminal): void {
  program
    .command("statement")
    .description(
      "print a merchant's statement of a month as CSV: opening balance, every entry, closing balance",
    )
    .requiredOption("--merchant <id>", "id of the merchant")
    .requiredOption("--month <month>", "a month in the merchant's time zone, like 2026-11", readMonth)
    .addOption(
      new Option("--separator <sign>", "what stands between the columns of CSV")
        .choices(Object.keys(csvSeparators))
        .default(","),
    )
    .addOption(
      new Option("--decimal <sign>", "the decimal mark of CSV").choices([...decimalMarks]).default("."),
    )
    .option("--json", "print JSON, with the names of GET /v1/statements and every entry")
    .action(async (options: StatementOptions) => {
      await withDatabase(terminal.variables, [], async ({ db }) => {
        const { id: merchantId } = await getMerchant({ db }, options.merchant);
        const { month, separator, decimal } = options;
        const question = { merchantId, month, now: systemClock.now() };
        await inSnapshot(db, async (tx) => {
          const parts = options.json
            ? statementJson(tx, question)
            : statementCsv(tx, { ...question, reader: "person", marks: { separator, decimal } });
          for await (const part of parts) terminal.write(part);
        });
      });
    });
}

function readMonth(text: string): string {
  if (MONTH_PATTERN.test(text)) return text;
  throw new InvalidArgumentError(`It ${MONTH_RULE}.`);
}

/** The statement as GET /v1/statements answers it, but with every entry; one entry at a time. */
async function* statementJson(
  tx: Transaction,
  { now, ...question }: MonthOfMerchant & { readonly now: Date },
): AsyncGenerator<string> {
  const none = { now, limit: 0, offset: 0 };
  const { entries: _, ...head } = toStatementRow(await readStatement(tx, question, none));
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "entries": [`;
  let separator = "\n";
  for await (const entry of readEntries(tx, question)) {
    yield `${separator}    ${JSON.stringify(toStatementEntryRow(entry))}`;
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}
