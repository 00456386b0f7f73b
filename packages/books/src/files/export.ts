import { type CsvMarks, type CsvReader, csvWriter } from "@daric/domain/csv";
import { ApiError } from "@daric/domain/errors";
import type { Queryable } from "@daric/postgres/sql";
import { openWorkbook } from "./workbook.ts";

/** The fields of an exported row, in the order of the columns. */
export type ExportRow = Readonly<Record<string, unknown>>;
/** A part of a list: its rows, and where the next one begins; undefined at the end. */
export type ExportPart = { readonly rows: readonly ExportRow[]; readonly next: string | undefined };
export type ReadPart = (db: Queryable, after: string | undefined) => Promise<ExportPart>;
/** The rows of a part: few, because each download that runs holds a part or two. */
export const PART = 50;
/** The most rows of a workbook. It stands in memory, and a million rows are all that a spreadsheet shows. */
export const MAX_WORKBOOK_ROWS = 100_000;

/** The most lines of a PDF: its pages stand in memory. */
export const MAX_PAPER_LINES = 5_000;

/** The whole list, a part at a time and in constant memory. */
async function* rowsOf(db: Queryable, read: ReadPart): AsyncGenerator<readonly ExportRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = await read(db, after);
    if (rows.length > 0) yield rows;
    after = next;
  } while (after !== undefined);
}

export const fileFormats = ["csv", "xlsx", "json"] as const;

/** A list as a file. */
export type ExportFile = {
  readonly format: (typeof fileFormats)[number];
  readonly reader: CsvReader;
  readonly marks?: CsvMarks;
  readonly columns: readonly string[];
  readonly parts: ReadPart;
};

/**
 * The pieces of the file.
 * @throws EXPORT_TOO_LARGE at the first piece of a workbook with more than {@link MAX_WORKBOOK_ROWS} rows.
 */
export function exportLines(db: Queryable, file: ExportFile): AsyncGenerator<string | Uint8Array> {
  switch (file.format) {
    case "csv":
      return toCsv(db, file);
    case "json":
      return toJson(db, file.parts);
    case "xlsx":
      return toWorkbook(db, file);
  }
}

/** CSV, with a heading even where there is no row. */
async function* toCsv(db: Queryable, { columns, reader, marks, parts }: ExportFile): AsyncGenerator<string> {
  const { heading, line } = csvWriter(columns, reader, marks);
  yield heading;
  for await (const rows of rowsOf(db, parts)) yield rows.map((row) => line(row)).join("");
}

/** A JSON array, a line for each row. */
async function* toJson(db: Queryable, read: ReadPart): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of rowsOf(db, read)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* toWorkbook(db: Queryable, { columns, parts }: ExportFile): AsyncGenerator<Uint8Array> {
  const workbook = openWorkbook(columns);
  try {
    let count = 0;
    for await (const rows of rowsOf(db, parts)) {
      count += rows.length;
      if (count > MAX_WORKBOOK_ROWS) refuseTooLarge(`An XLSX file has at most ${MAX_WORKBOOK_ROWS} rows`);
      workbook.add(rows);
    }
    yield await workbook.finish();
  } finally {
    workbook.close();
  }
}

/** @throws EXPORT_TOO_LARGE, naming CSV. */
export function refuseTooLarge(limit: string): never {
  throw new ApiError("EXPORT_TOO_LARGE", {
    message: `${limit}, and this one would have more: narrow the range of time, or take format=csv, which has no limit.`,
  });
}
