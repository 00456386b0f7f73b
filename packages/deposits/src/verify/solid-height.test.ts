import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countActive, MIN_SOLID_LAG, solidHeight, solidHeightOf, solidThreshold } from "./solid-height.ts";

const HEAD = 5_000;
/** The last block of each of this many witnesses that take turns up to a head. */
const turns = (count: number, head = HEAD) => Array.from({ length: count }, (_, index) => head - index);

describe("the number of witnesses at or above a block", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
    [5, 4],
    [27, 19],
  ])("of %i active ones must be %i", (active, threshold) => {
    expect(solidThreshold(active)).toBe(threshold);
  });
});

describe("the solid height", () => {
  it("needs 19 of 27: with 18 there is none", () => {
    expect(solidHeight(turns(18), { active: 27, head: HEAD })).toBeUndefined();
    expect(solidHeight(turns(19), { active: 27, head: HEAD })).toBe(HEAD - 18);
    expect(solidHeight(turns(27), { active: 27, head: HEAD })).toBe(HEAD - 18);
  });

  it("is that of the 19th witness if some make no blocks", () => {
    const last = [...turns(18), HEAD - 200, HEAD - 300];
    expect(solidHeight(last, { active: 27, head: HEAD })).toBe(HEAD - 200);
  });

  it("is always at least 18 below the head, for any number of witnesses", () => {
    for (const active of [1, 2, 5, 19])
      expect(solidHeight(turns(active), { active, head: HEAD })).toBe(HEAD - MIN_SOLID_LAG);
  });

  it("has enough last blocks at or above it, and no greater height has", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }), (lastBlocks) => {
        const height = solidHeight(lastBlocks, { active: 27, head: 10_000 });
        const above = (number: number) => lastBlocks.filter((last) => last >= number).length;
        if (height === undefined) expect(above(0)).toBeLessThan(19);
        else expect([above(height) >= 19, above(height + 1) >= 19]).toEqual([true, false]);
      }),
    );
  });
});

describe("the active witnesses are", () => {
  it.each(["mainnet", "nile", "shasta", "devnet"])("27 on %s, with any names", (network) => {
    expect(countActive(network, turns(3), HEAD)).toBe(27);
  });

  it("on a private chain those of its last 100 headers, at most 27", () => {
    expect(countActive("private", turns(5), HEAD)).toBe(5);
    expect(countActive("private", [...turns(5), HEAD - 99, HEAD - 100], HEAD)).toBe(6);
    expect(countActive("private", turns(60), HEAD)).toBe(27);
  });

  it("on a private chain 27 while fewer than its last 100 headers are known, so that no block is solid too early", () => {
    expect(solidHeightOf("private", turns(5), { from: HEAD - 99, head: HEAD })).toBeUndefined();
    expect(solidHeightOf("private", turns(5), { from: HEAD - 100, head: HEAD })).toBe(HEAD - MIN_SOLID_LAG);
  });
});
