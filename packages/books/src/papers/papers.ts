import { createRequire } from "node:module";
import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import type { MonthOfMerchant } from "@daric/ledger/month";
import { readStatement } from "@daric/ledger/read-statement";
import { statementColumns, statementRows } from "@daric/ledger/statement-csv";
import { inSnapshot } from "@daric/ledger/store";
import type { Database, Queryable } from "@daric/postgres/sql";
import type { Logger } from "@daric/runtime/logger";
import type { ConfigOf } from "@daric/runtime/setting";
import { createWorkerRpcClient } from "@daric/runtime/worker-rpc-client";
import { MAX_PAPER_LINES, MAX_WORKBOOK_ROWS, refuseTooLarge } from "../files/export.ts";
import { openWorkbook } from "../files/workbook.ts";
import { type BookTerms, getBookTerms } from "../terms/book-terms-store.ts";
import type { PaperLanguage } from "./paper-head.ts";
import { readReceipt } from "./read-receipt.ts";
import type { ReceiptFacts } from "./receipt-facts.ts";
import type { bookSettings } from "./settings.ts";
import type { PaperStatement } from "./statement-paper.ts";

const BUSY = "Another workbook is being written: ask again in a moment.";
/** The papers that may be read and written at once. Each holds the lines of a month, and all wait for one thread. */
const MAX_PAPERS = 8;
const MANY = "Many papers are being written: ask again in a moment.";
const RETRY_SECONDS = 10;

/** A paper for the thread that writes them. */
export type PaperRequest = PaperLanguage & { readonly terms: BookTerms } & (
    | { readonly kind: "receipt"; readonly facts: ReceiptFacts }
    | { readonly kind: "statement"; readonly facts: PaperStatement }
  );
type StatementFormat = { readonly format: "xlsx" | "pdf"; readonly language: string; readonly now: Date };

/** Writes receipts and statements as files for people, in threads: a long statement takes seconds of a core. */
export type Papers = {
  /** @throws as {@link readReceipt}; SERVICE_UNAVAILABLE while {@link MAX_PAPERS} papers are written. */
  receipt(db: Queryable, ref: ChargeRef, language: string): Promise<Uint8Array>;
  /** @throws EXPORT_TOO_LARGE beyond {@link MAX_PAPER_LINES} entries of a PDF, or {@link MAX_WORKBOOK_ROWS} of a workbook; SERVICE_UNAVAILABLE while another workbook, or {@link MAX_PAPERS} papers, are written. */
  statement(db: Database, question: MonthOfMerchant, file: StatementFormat): Promise<Uint8Array>;
};

type PaperContext = {
  readonly log: Logger;
  readonly config: { readonly books: ConfigOf<typeof bookSettings, "api"> };
};

/** The thread starts with the first paper. */
export function createPapers({ log, config }: PaperContext): Papers {
  const { fontFile } = config.books;
  const thread = createWorkerRpcClient<PaperRequest, Uint8Array>({
    log,
    task: "writes papers",
    program: () => createRequire(import.meta.url).resolve("@daric/books/papers/paper-thread"),
  });
  let isBusy = false;
  let papers = 0;
  const writePaper = async (read: () => Promise<PaperRequest>): Promise<Uint8Array> => {
    if (papers >= MAX_PAPERS)
      throw new ApiError("SERVICE_UNAVAILABLE", { message: MANY, retryAfterSeconds: RETRY_SECONDS });
    papers += 1;
    try {
      return await thread.call(await read());
    } finally {
      papers -= 1;
    }
  };
  return {
    receipt: (db, ref, language) =>
      writePaper(async () => {
        const facts = await readReceipt(db, ref);
        const terms = await getBookTerms(db, ref.merchantId);
        return { kind: "receipt", facts, terms, tag: language, fontFile };
      }),
    async statement(db, question, { format, language, now }) {
      if (format === "xlsx") {
        if (isBusy)
          throw new ApiError("SERVICE_UNAVAILABLE", { message: BUSY, retryAfterSeconds: RETRY_SECONDS });
        isBusy = true;
        return inSnapshot(db, (tx) => workbookOf(tx, question, now)).finally(() => {
          isBusy = false;
        });
      }
      return writePaper(() =>
        inSnapshot(db, async (tx) => {
          const facts = await readStatement(tx, question, { now, limit: MAX_PAPER_LINES, offset: 0 });
          refuseBeyond(MAX_PAPER_LINES, facts.entryCount, "PDF");
          const terms = await getBookTerms(tx, question.merchantId);
          return { kind: "statement", facts, terms, tag: language, fontFile };
        }),
      );
    },
  };
}

async function workbookOf(db: Queryable, question: MonthOfMerchant, now: Date): Promise<Uint8Array> {
  const { entryCount } = await readStatement(db, question, { now, limit: 1, offset: 0 });
  refuseBeyond(MAX_WORKBOOK_ROWS, entryCount, "XLSX");
  const workbook = openWorkbook(statementColumns);
  try {
    for await (const row of statementRows(db, { ...question, now })) workbook.add([row]);
    return await workbook.finish();
  } finally {
    workbook.close();
  }
}

function refuseBeyond(most: number, count: number, format: string): void {
  if (count > most) refuseTooLarge(`A statement as ${format} has at most ${most} entries`);
}
