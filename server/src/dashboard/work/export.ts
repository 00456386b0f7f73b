import type { Queryable } from "@daric/postgres/sql";

/** The fields of an exported row, in the order of the columns. */
export type ExportRow = Readonly<Record<string, unknown>>;
/** A part of a list: its rows, and where the next one begins; undefined at the end. */
export type ExportPart = { readonly rows: readonly ExportRow[]; readonly next: string | undefined };
export type ReadPart = (db: Queryable, after: string | undefined) => Promise<ExportPart>;

/** The whole list, a part at a time and in constant memory. */
async function* rowsOf(db: Queryable, read: ReadPart): AsyncGenerator<readonly ExportRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = await read(db, after);
    if (rows.length > 0) yield rows;
    after = next;
  } while (after !== undefined);
}

/** CSV by RFC 4180, with a heading even where there is no row. */
export async function* toCsv(
  db: Queryable,
  columns: readonly string[],
  read: ReadPart,
): AsyncGenerator<string> {
  yield lineOf(columns);
  for await (const rows of rowsOf(db, read))
    yield rows.map((row) => lineOf(columns.map((column) => cellOf(row[column])))).join("");
}

/** A JSON array, a line for each row. */
export async function* toJson(db: Queryable, read: ReadPart): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of rowsOf(db, read)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

/** A spreadsheet would run a text that begins like a formula; amounts are never negative. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}
