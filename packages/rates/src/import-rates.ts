import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { Database } from "@daric/postgres/sql";
import { insertMissingRates } from "./import-store.ts";
import { RatesFileError, readRatesFile } from "./read-rates-file.ts";
import { allPriced, type Priced } from "./sources.ts";

/** How many rates of a file were stored, and how many would have changed a value that is known. */
export type ImportResult = { readonly stored: number; readonly leftOut: number };

/**
 * Imports the rates of a file, of a coin in USD or of USDT in another currency: all of it or nothing. A minute is left out where a rate of
 * it, or of the five minutes before it, was known. So no known value changes. The rates value books, and price nothing.
 *
 * @throws RatesFileError for a file that cannot be read or has a bad line.
 */
export async function importRates(
  db: Database,
  { priced, path, now }: { readonly priced: Priced; readonly path: string; readonly now: Date },
): Promise<ImportResult> {
  const name = basename(path)
    .replace(/\.csv$/i, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 40);
  const input = createReadStream(path, "utf8");
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const unreadable = new Promise<never>((_, reject) => {
    input.once("error", ({ message }) => reject(new RatesFileError(`cannot read the file: ${message}`)));
  });
  const rates = await Promise.race([readRatesFile(lines, { priced, name, now }), unreadable]);
  const stored = await db.transaction((tx) => insertMissingRates(tx, priced, rates));
  return { stored, leftOut: rates.length - stored };
}

/** The price that a code names: of a coin in USD, or of USDT in another currency; undefined for any other code. */
export function pricedOf(code: string): Priced | undefined {
  return allPriced.find((priced) => priced === code.toUpperCase());
}
