import { expect, it } from "vitest";
import { idRangesFor } from "./id-range.ts";

it("few deposits are one range, which holds every id", () => {
  const all = [{ from: "00000000-0000-0000-0000-000000000000", to: "ffffffff-ffff-ffff-ffff-ffffffffffff" }];
  expect(idRangesFor(0n)).toEqual(all);
  expect(idRangesFor(200_000n)).toEqual(all);
});

it.each([200_001n, 5_000_000n, 10n ** 12n])("%s deposits are ranges without a gap between them", (count) => {
  const ends = idRangesFor(count).map((range) => ({
    first: Number.parseInt(range.from.slice(0, 4), 16),
    last: Number.parseInt(range.to.slice(0, 4), 16),
  }));
  const afterLast = [0, ...ends.map(({ last }) => last + 1)];
  expect([...ends.map(({ first }) => first), 0x10000]).toEqual(afterLast);
  expect(ends.filter(({ first, last }) => last < first)).toEqual([]);
});
