import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreeingGroup } from "./consensus.ts";

type Priced = { readonly id: number; readonly priceE8: bigint };

const numbered = (prices: readonly bigint[]): Priced[] => prices.map((priceE8, id) => ({ id, priceE8 }));
const idsOf = (group: readonly Priced[] | undefined) => group?.map(({ id }) => id).toSorted((a, b) => a - b);
const group = (prices: readonly bigint[], quorum = 2) => idsOf(agreeingGroup(numbered(prices), quorum));

/** The rule by trial: the largest of all subsets within 1 %, if there is only one of its size. */
function groupByTrial(given: readonly Priced[], quorum: number): readonly Priced[] | undefined {
  const agree = (some: readonly Priced[]) =>
    some.every((left) => some.every((right) => left.priceE8 * 100n <= right.priceE8 * 101n));
  const subsets = Array.from({ length: 2 ** given.length }, (_, bits) =>
    given.filter((_each, index) => (bits >> index) % 2 === 1),
  ).filter(agree);
  const size = Math.max(0, ...subsets.map((subset) => subset.length));
  const largest = subsets.filter((subset) => subset.length === size);
  return largest.length === 1 && size >= quorum ? largest[0] : undefined;
}

describe("the agreeing group", () => {
  it("is the largest within 1 %, if it is the only one and has enough members", () => {
    const near = fc.bigInt({ min: 9_800n, max: 10_300n });
    fc.assert(
      fc.property(fc.array(near, { maxLength: 8 }), fc.integer({ min: 1, max: 3 }), (prices, quorum) => {
        const given = numbered(prices);
        expect(idsOf(agreeingGroup(given, quorum))).toEqual(idsOf(groupByTrial(given, quorum)));
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on the order of the sources", () => {
    const given = numbered([10_000n, 10_050n, 10_090n, 20_000n]);
    expect(idsOf(agreeingGroup(given.toReversed(), 2))).toEqual([0, 1, 2]);
  });

  it("has members that differ by exactly 1 %, and none that differ by more", () => {
    expect(group([100n, 101n])).toEqual([0, 1]);
    expect(group([10_000n, 10_101n])).toBeUndefined();
  });

  it("leaves out a price far away", () => {
    expect(group([9_996n, 9_997n, 99_970n])).toEqual([0, 1]);
    expect(group([9_996n, 999n, 9_997n])).toEqual([0, 2]);
  });

  it("is missing if two groups are equally large, even overlapping ones", () => {
    expect(group([100n, 100n, 200n, 200n])).toBeUndefined();
    expect(group([1_000n, 1_006n, 1_012n])).toBeUndefined();
  });

  it("needs as many members as the quorum", () => {
    expect(group([100n])).toBeUndefined();
    expect(group([100n], 1)).toEqual([0]);
    expect(group([], 1)).toBeUndefined();
  });
});
