import { secp256k1 } from "@noble/curves/secp256k1.js";
import { addHalves, makeMultiplesTable, type Term } from "./multiples-table.ts";

const { Point } = secp256k1;

const BYTES = 32;
const BITS = 8;
const ORDER = Buffer.from(Point.Fn.ORDER.toString(16), "hex");

let table: readonly Term[] | undefined;

/**
 * k·G for each of these scalars k, of 32 bytes, the highest first; undefined is the point at infinity.
 *
 * For scalars that are no secret: it looks up by their bytes, while the library hides them from whoever takes the time.
 * A multiple is the sum of 32 points of a table, one for each byte. All divisions of a round of additions share one: a
 * hundred scalars cost a third of what they cost in the library, a single one costs the same.
 *
 * @throws RangeError for what is not a scalar below the order of the curve.
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

/** The multiples of the generator by bytes, made once for the process. */
export function generatorTable(): readonly Term[] {
  table ??= makeMultiplesTable(Point.BASE, BITS);
  return table;
}
