import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multiplesOfGenerator } from "./generator-multiples.ts";

const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
const bytesOf = (scalar: bigint) => Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
const byLibrary = (scalar: bigint) => (scalar === 0n ? undefined : Point.BASE.multiply(scalar).toAffine());

describe("multiples of the generator", () => {
  it("equal the library's for any list of scalars", () => {
    const scalars = fc.array(fc.bigInt({ min: 0n, max: ORDER - 1n }), { maxLength: 20 });
    fc.assert(
      fc.property(scalars, (some) => {
        expect(multiplesOfGenerator(some.map(bytesOf))).toEqual(some.map(byLibrary));
      }),
      { numRuns: 20 },
    );
  });

  it("of one byte at any place equal the library's sums", () => {
    for (let index = 0; index < 32; index += 1) {
      const scalars = Array.from({ length: 255 }, (_, at) => BigInt(at + 1) << BigInt(8 * index));
      const step = Point.BASE.multiply(1n << BigInt(8 * index));
      let sum = Point.ZERO;
      const wrong = multiplesOfGenerator(scalars.map(bytesOf)).filter((ours) => {
        sum = sum.add(step);
        return ours === undefined || !sum.equals(Point.fromAffine(ours));
      });
      expect(wrong).toEqual([]);
    }
  });

  it("equal the library's at both ends and around the powers of sixteen", () => {
    const powers = Array.from({ length: 64 }, (_, at) => 1n << BigInt(4 * at));
    const edges = [0n, ...powers.flatMap((power) => [power - 1n, power, power + 1n]), ORDER - 2n, ORDER - 1n];
    expect(multiplesOfGenerator(edges.map(bytesOf))).toEqual(edges.map(byLibrary));
  });

  it("of no scalar are an empty list, and of zero the point at infinity", () => {
    expect(multiplesOfGenerator([])).toEqual([]);
    expect(multiplesOfGenerator([bytesOf(0n), bytesOf(0n)])).toEqual([undefined, undefined]);
  });

  it.each([
    ["the order", bytesOf(ORDER)],
    ["32 bytes of 255", Buffer.alloc(32, 255)],
    ["31 bytes", Buffer.alloc(31)],
    ["33 bytes", Buffer.alloc(33)],
  ])("are refused for %s", (_, scalar) => {
    expect(() => multiplesOfGenerator([bytesOf(1n), scalar])).toThrow(RangeError);
  });
});
