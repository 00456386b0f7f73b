import { isNumberColumn, isTimeColumn, NUMBER } from "@daric/domain/csv";
import type { Cell, Row } from "write-excel-file/node";
import type { SheetValue } from "./workbook.ts";

/** The digits that a number of a spreadsheet keeps; a longer amount stays a text, and loses none. */
const MAX_DIGITS = 15;
/** A cell of Excel has so many characters at most. */
const MAX_CELL_CHARS = 32_767;
const TIME_FORMAT = "yyyy-mm-dd hh:mm:ss";

/** The heading: names as in CSV. Times of a sheet have no zone, so the names of their columns say it. */
export function headingCells(columns: readonly string[]): Row {
  return columns.map((column) => ({
    value: isTimeColumn(column) ? `${column} (UTC)` : column,
    type: String,
    fontWeight: "bold",
  }));
}

/** The cells of a row: real numbers, times and truth values. All other values are texts, so no cell is a formula. */
export function toCells(row: readonly SheetValue[], columns: readonly string[]): Row {
  return row.map((value, index) => cellOf(value, columns[index] ?? ""));
}

function cellOf(value: SheetValue, column: string): Cell {
  if (value === null) return null;
  if (typeof value === "number") return { value, type: Number };
  if (typeof value === "boolean") return { value, type: Boolean };
  if (isNumberColumn(column) && isExact(value))
    return { value: Number(value), type: Number, format: "0.00####" };
  const time = isTimeColumn(column) ? new Date(value) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime()))
    return { value: time, type: Date, format: TIME_FORMAT };
  return { value: value.slice(0, MAX_CELL_CHARS), type: String };
}

function isExact(text: string): boolean {
  return NUMBER.test(text) && text.replace(/^-?0*|\./g, "").length <= MAX_DIGITS;
}
