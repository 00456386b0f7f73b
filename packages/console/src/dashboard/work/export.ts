import { type CsvReader, csvWriter } from "@daric/domain/csv";
import type { Queryable } from "@daric/postgres/sql";

/** The fields of an exported row, in the order of the columns. */
export type ExportRow = Readonly<Record<string, unknown>>;
/** A part of a list: its rows, and where the next one begins; undefined at the end. */
export type ExportPart = { readonly rows: readonly ExportRow[]; readonly next: string | undefined };
export type ReadPart = (db: Queryable, after: string | undefined) => Promise<ExportPart>;
/** The rows of a part: few, because each download that runs holds a part or two. */
export const PART = 50;

/** The whole list, a part at a time and in constant memory. */
async function* rowsOf(db: Queryable, read: ReadPart): AsyncGenerator<readonly ExportRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = await read(db, after);
    if (rows.length > 0) yield rows;
    after = next;
  } while (after !== undefined);
}

/** A list as a file. */
export type ExportFile = {
  readonly format: "csv" | "json";
  readonly reader: CsvReader;
  readonly columns: readonly string[];
  readonly parts: ReadPart;
};

/** The lines of the file. */
export function exportLines(db: Queryable, file: ExportFile): AsyncGenerator<string> {
  return file.format === "csv" ? toCsv(db, file) : toJson(db, file.parts);
}

/** CSV, with a heading even where there is no row. */
async function* toCsv(db: Queryable, { columns, reader, parts }: ExportFile): AsyncGenerator<string> {
  const { heading, line } = csvWriter(columns, reader);
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
