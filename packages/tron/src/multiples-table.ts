import { type AffinePoint, normalizeZ } from "@noble/curves/abstract/curve.js";
import { FpInvertBatch } from "@noble/curves/abstract/modular.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const { Point } = secp256k1;
const { Fp } = Point;

export type CurvePoint = typeof Point.BASE;

/** A point of secp256k1; undefined is the point at infinity. */
export type Term = AffinePoint<bigint> | undefined;

const SCALAR_BITS = 256;

/**
 * The table of digit multiples of P, highest place first: d·2^(bits·(places - 1 - p))·P is at d·places + p. A
 * table of four bits has 960 points (130 kB, 4 ms), one of eight bits 8,160 points (1 MB, 30 ms).
 */
export function makeMultiplesTable(point: CurvePoint, digitBits: 4 | 8): readonly Term[] {
  const places = SCALAR_BITS / digitBits;
  const powers = [point];
  for (let next = point.double(); powers.length < SCALAR_BITS; next = next.double()) powers.push(next);
  const points = normalizeZ(Point, powers).map((power) => power.toAffine());
  let made: Term[] = Array.from({ length: places }, () => undefined);
  for (let bit = 0; bit < digitBits; bit += 1) {
    const withBit = made.map((_, at) => points[(places - 1 - (at % places)) * digitBits + bit]);
    made = made.concat(addEach(made, withBit));
  }
  return made;
}

/**
 * Adds points pairwise, in affine coordinates: half the work of projective ones, because all divisions share one.
 * A pair is always m·P and n·P with m ≠ n and m + n below the order. So the points are neither equal nor opposite,
 * and no division is by zero.
 */
export function addEach(left: readonly Term[], right: readonly Term[]): Term[] {
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

export function addHalves(terms: readonly Term[]): Term[] {
  const half = terms.length / 2;
  return addEach(terms.slice(0, half), terms.slice(half));
}
