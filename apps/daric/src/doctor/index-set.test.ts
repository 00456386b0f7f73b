import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexSet } from "./index-set.ts";

const bytesOf = (...indexes: number[]) => {
  const bytes = Buffer.alloc(4 * indexes.length);
  for (const [position, index] of indexes.entries()) bytes.writeUInt32BE(index, 4 * position);
  return bytes;
};

describe("a set of indexes", () => {
  it("finds each repeated index of an account key, across pages", () => {
    const seen = new IndexSet();
    expect(seen.add("a", bytesOf(0, 7, 8, 65_535, 65_536, 2 ** 31 - 1))).toEqual([]);
    expect(seen.add("b", bytesOf(0, 7))).toEqual([]);
    expect(seen.add("a", bytesOf(9, 65_536, 1, 2 ** 31 - 1))).toEqual([65_536, 2 ** 31 - 1]);
    expect(seen.add("b", bytesOf(3, 3))).toEqual([3]);
  });

  it("equals a plain set", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(200_000), { maxLength: 50 }), { maxLength: 5 }), (lists) => {
        const seen = new IndexSet();
        const whole = new Set<number>();
        for (const list of lists) {
          const repeated = list.filter((index) => whole.size === whole.add(index).size);
          expect(seen.add("a", bytesOf(...list))).toEqual(repeated);
        }
      }),
    );
  });
});
