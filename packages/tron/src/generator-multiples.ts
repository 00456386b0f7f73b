import { secp256k1 } from "@noble/curves/secp256k1.js";
import { addHalves, makeMultiplesTable, type Term } from "./multiples-table.ts";

const { Point } = secp256k1;

const BYTES = 32;
const BITS = 8;
const ORDER = Buffer.from(Point.Fn.ORDER.toString(16), "hex");

let table: readonly Term[] | undefined;

/**
 * Returns k·G for each 32-byte scalar k; undefined is the point at infinity. For public scalars only: the table
 * look-ups are not constant-time.
 * A multiple is the sum of 32 points of a table, one for each byte, and all additions of a round share one
 * division. A hundred scalars cost a third of what they cost in the library.
 * @throws RangeError for a scalar that is not below the order of the curve.
 */
export function multiplesOfGenerator(scalars: readonly Uint8Array[]): Term[] {
  for (const scalar of scalars) {
    if (scalar.length !== BYTES || Buffer.compare(scalar, ORDER) >= 0) {
      throw new RangeError("a scalar has 32 bytes and is below the order of the curve");
    }
  }
  const points = generatorTable();
  let terms = Array.from({ length: BYTES }, (_, index) =>
    scalars.map((scalar) => points[(scalar[index] ?? 0) * BYTES + index]),
  ).flat();
  while (terms.length > scalars.length) terms = addHalves(terms);
  return terms;
}

/** The table of multiples by bytes, made once for the process. */
export function generatorTable(): readonly Term[] {
  table ??= makeMultiplesTable(Point.BASE, BITS);
  return table;
}
