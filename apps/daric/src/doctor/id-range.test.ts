import { expect, it } from "vitest";
import { chargeRangesTo, cutBehind, idRangesFor, txIdsOf } from "./id-range.ts";

it("few deposits are one range, which contains every id", () => {
  const all = [{ from: "00000000-0000-0000-0000-000000000000", to: "ffffffff-ffff-ffff-ffff-ffffffffffff" }];
  expect(idRangesFor(0n)).toEqual(all);
  expect(idRangesFor(50_000n)).toEqual(all);
});

it.each([50_001n, 5_000_000n, 10n ** 12n])("%s deposits are ranges without a gap between them", (count) => {
  const ends = idRangesFor(count).map((range) => ({
    first: Number.parseInt(range.from.slice(0, 4), 16),
    last: Number.parseInt(range.to.slice(0, 4), 16),
  }));
  const afterLast = [0, ...ends.map(({ last }) => last + 1)];
  expect([...ends.map(({ first }) => first), 0x10000]).toEqual(afterLast);
  expect(ends.filter(({ first, last }) => last < first)).toEqual([]);
});

it("ranges are cut behind ids, without a gap and without an id in two ranges", () => {
  const [all = { from: "", to: "" }] = idRangesFor(0n);
  const [one, other] = ["019a0000-0000-7000-8000-0000000000ff", "019affff-ffff-ffff-ffff-ffffffffffff"];
  expect(cutBehind([], [all])).toEqual([all]);
  expect(cutBehind([one, other, all.to], [all])).toEqual([
    { from: all.from, to: one },
    { from: "019a0000-0000-7000-8000-000000000100", to: other },
    { from: "019b0000-0000-0000-0000-000000000000", to: all.to },
  ]);
  const [low, high] = idRangesFor(100_000n);
  expect(
    cutBehind(
      [one],
      [low, high].flatMap((range) => range ?? []),
    ),
  ).toHaveLength(3);
  expect(cutBehind([low?.to ?? ""], [low ?? all])).toEqual([low]);
});

it("hashes of transactions have as many ranges as ids, without a gap", () => {
  const ranges = idRangesFor(1_000_000n).map(txIdsOf);
  expect(ranges[0]?.from).toBe("0".repeat(64));
  expect(ranges.at(-1)?.to).toBe("f".repeat(64));
  for (const [index, { from }] of ranges.entries())
    if (index > 0) expect(BigInt(`0x${from}`)).toBe(BigInt(`0x${ranges[index - 1]?.to}`) + 1n);
});

it("charges have ranges with the given ends, which contain every id once", () => {
  const [none, last] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  const [one, other] = ["01a20000-0000-7000-8000-000000000001", "01a20000-0000-7000-8000-000000000002"];
  expect(chargeRangesTo([])).toEqual([{ after: none, upTo: last }]);
  expect(chargeRangesTo([one, other])).toEqual([
    { after: none, upTo: one },
    { after: one, upTo: other },
    { after: other, upTo: last },
  ]);
});
