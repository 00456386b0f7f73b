import { IMPORT_PREFIX } from "@daric/domain/rate";
import type { Priced } from "./sources.ts";

/** The price of one minute, of a file. */
export type ImportedRate = { readonly minuteMs: number; readonly priceE8: bigint; readonly source: string };

/** A file of rates that was refused, with the faults of its first bad lines. */
export class RatesFileError extends Error {
  override readonly name = "RatesFileError";
}

/** `name` is the source of lines that name none. `now` is the time of the import. */
type FileOf = { readonly priced: Priced; readonly name: string; readonly now: Date };

const MINUTE_MS = 60_000;
/** A year has 525,600 minutes. */
const MAX_LINES = 600_000;
const MAX_FAULTS = 20;
const MAX_LINE_CHARS = 200;
const COLUMNS = ["minute", "price", "source", "currency"] as const;
type Column = (typeof COLUMNS)[number];

const MINUTE_PATTERN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::00(?:\.0{1,6})?)?Z$/;
/** A price in 10^-8 that a bigint column can hold. */
const PRICE_PATTERN = /^(0|[1-9]\d{0,9})(?:\.(\d{1,8}))?$/;
const SOURCE_PATTERN = /^[A-Za-z0-9._-]{1,40}$/;

/**
 * Reads a file of rates: CSV with the columns minute and price, and perhaps source and currency. Lines may be in any order, and minutes
 * may be missing. The memory is that of the rates.
 *
 * @throws RatesFileError if any line is bad, with the numbers of the first 20.
 */
export async function readRatesFile(lines: AsyncIterable<string>, file: FileOf): Promise<ImportedRate[]> {
  const rates: ImportedRate[] = [];
  const lineOf = new Map<number, number>();
  const faults: string[] = [];
  let columns: readonly Column[] | undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number > MAX_LINES) throw new RatesFileError(`a file may have ${MAX_LINES} lines at most: split it`);
    if (columns === undefined) {
      columns = columnsOf(text);
      continue;
    }
    if (text.trim() === "") continue;
    const rate = rateOf(text, columns, file);
    const fault = typeof rate === "string" ? rate : doubleOf(lineOf, rate, number);
    if (fault !== undefined) faults.push(`line ${number} ${fault}`);
    else if (typeof rate !== "string") rates.push(rate);
    if (faults.length === MAX_FAULTS) break;
  }
  if (faults.length > 0) throw new RatesFileError(`nothing was imported: ${faults.join("; ")}`);
  if (rates.length === 0) throw new RatesFileError("the file has no rate");
  return rates;
}

function columnsOf(heading: string): readonly Column[] {
  const names = heading
    .replace(/^\uFEFF/, "")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const isKnown = names.every((name) => COLUMNS.some((column) => column === name));
  const isWhole = names.includes("minute") && names.includes("price") && new Set(names).size === names.length;
  if (isKnown && isWhole) return names as readonly string[] as readonly Column[];
  throw new RatesFileError("line 1 must name the columns: minute,price, and perhaps source and currency");
}

/** The rate of a line, or its fault as a text that follows the line's number. */
function rateOf(
  text: string,
  columns: readonly Column[],
  { priced, name, now }: FileOf,
): ImportedRate | string {
  const cells = text.length > MAX_LINE_CHARS ? [] : text.split(",").map((cell) => cell.trim());
  if (cells.length !== columns.length) return `has not the columns ${columns.join()}`;
  const cell = (column: Column) => cells[columns.indexOf(column)];
  const {
    minute = "",
    price = "",
    source = name,
    currency = priced,
  } = {
    ...{ minute: cell("minute"), price: cell("price"), source: cell("source"), currency: cell("currency") },
  };
  const minuteMs = minuteOf(minute);
  if (currency !== priced) return `is of ${currency}, and not of ${priced}`;
  if (minuteMs === undefined) return `has no minute in UTC like 2026-11-03T12:34Z: ${minute}`;
  if (minuteMs + MINUTE_MS > now.getTime()) return `has a minute that is not over: ${minute}`;
  const priceE8 = priceOf(price);
  if (priceE8 === undefined)
    return `has no price above zero of at most 8 decimals and 10 digits before them: ${price}`;
  if (!SOURCE_PATTERN.test(source))
    return "has a source that is not 1 to 40 letters, digits, dots, dashes and underscores";
  return { minuteMs, priceE8, source: `${IMPORT_PREFIX}${source}` };
}

function minuteOf(text: string): number | undefined {
  const [, minute] = MINUTE_PATTERN.exec(text) ?? [];
  if (minute === undefined) return undefined;
  const ms = Date.parse(`${minute}:00Z`);
  // JavaScript takes 30 February for 2 March.
  const isDate = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(minute);
  return isDate ? ms : undefined;
}

function priceOf(text: string): bigint | undefined {
  const [, whole, fraction = ""] = PRICE_PATTERN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const priceE8 = BigInt(whole + fraction.padEnd(8, "0"));
  return priceE8 > 0n ? priceE8 : undefined;
}

/** The fault of a minute that an earlier line has; without one the line is noted. */
function doubleOf(
  lineOf: Map<number, number>,
  { minuteMs }: ImportedRate,
  number: number,
): string | undefined {
  const earlier = lineOf.get(minuteMs);
  if (earlier !== undefined) return `has the minute of line ${earlier} again`;
  lineOf.set(minuteMs, number);
  return undefined;
}
