import { type AffinePoint, normalizeZ } from "@noble/curves/abstract/curve.js";
import { FpInvertBatch } from "@noble/curves/abstract/modular.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const { Point } = secp256k1;
const { Fp, Fn } = Point;

/** A point of secp256k1 by its x and y, undefined for the one at infinity: what adds nothing. */
type Term = AffinePoint<bigint> | undefined;

const BYTES = 32;
const BITS = 8;
const ORDER = Buffer.from(Fn.ORDER.toString(16), "hex");

let table: readonly Term[] | undefined;

/**
 * k·G for each of these scalars k, of 32 bytes, the highest first; undefined is the point at infinity.
 *
 * For scalars that are no secret: it looks up by their bytes, while the library hides them from whoever takes the time.
 * A multiple is the sum of 32 points of a table, one for each byte. They are added in affine coordinates, which is half
 * the work but for a division, and all divisions of a round share one: a hundred scalars cost a third of what they cost
 * in the library, a single one costs the same.
 *
 * @throws RangeError for what is not a scalar below the order of the curve.
 */
export function multiplesOfGenerator(scalars: readonly Uint8Array[]): Term[] {
  for (const scalar of scalars) {
    if (scalar.length !== BYTES || Buffer.compare(scalar, ORDER) >= 0) {
      throw new RangeError("a scalar has 32 bytes and is below the order of the curve");
    }
  }
  table ??= makeTable();
  const points = table;
  let terms = Array.from({ length: BYTES }, (_, place) =>
    scalars.map((scalar) => points[(scalar[place] ?? 0) * BYTES + place]),
  ).flat();
  while (terms.length > scalars.length) {
    const half = terms.length / 2;
    terms = addEach(terms.slice(0, half), terms.slice(half));
  }
  return terms;
}

/** What byte b means at place p of a scalar, b·256^(31 - p)·G, at b·32 + p. 8,160 points, 1 MB, made in about 30 ms. */
function makeTable(): Term[] {
  const powers = [Point.BASE];
  for (let next = Point.BASE.double(); powers.length < BYTES * BITS; next = next.double()) powers.push(next);
  const points = normalizeZ(Point, powers).map((power) => power.toAffine());
  let made: Term[] = Array.from({ length: BYTES }, () => undefined);
  for (let bit = 0; bit < BITS; bit += 1) {
    const withBit = made.map((_, at) => points[(BYTES - 1 - (at % BYTES)) * BITS + bit]);
    made = made.concat(addEach(made, withBit));
  }
  return made;
}

/**
 * The sums of what stands at the same place.
 *
 * Two that meet are m·G and n·G for different bits of one number below the order. So m and n differ, and m + n is below
 * the order: the points are neither equal nor opposite, and the division is never by zero.
 */
function addEach(left: readonly Term[], right: readonly Term[]): Term[] {
  const distances = left.map((a, at) => {
    const b = right[at];
    return a === undefined || b === undefined ? Fp.ONE : b.x - a.x;
  });
  const inverses = FpInvertBatch(Fp, distances);
  return left.map((a, at) => {
    const b = right[at];
    const inverse = inverses[at];
    if (a === undefined || b === undefined) return a ?? b;
    if (inverse === undefined) throw new Error("two points of a sum are equal or opposite");
    const slope = Fp.create((b.y - a.y) * inverse);
    const x = Fp.create(slope * slope - a.x - b.x);
    return { x, y: Fp.create(slope * (a.x - x) - a.y) };
  });
}
