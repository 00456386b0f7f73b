import { expect, it } from "vitest";
import { idRangesFor } from "./id-range.ts";

it("few deposits are one range, which holds every id", () => {
  const all = [{ from: "00000000-0000-0000-0000-000000000000", to: "ffffffff-ffff-ffff-ffff-ffffffffffff" }];
  expect(idRangesFor(0n)).toEqual(all);
  expect(idRangesFor(200_000n)).toEqual(all);
});

it.each([200_001n, 5_000_000n, 10n ** 12n])(
  "%s deposits are ranges without a gap between them",
  (deposits) => {
    const ranges = idRangesFor(deposits);
    const prefixes = ranges.map(({ from, to }) => [
      Number.parseInt(from.slice(0, 4), 16),
      Number.parseInt(to.slice(0, 4), 16),
    ]);
    expect(prefixes[0]?.[0]).toBe(0);
    expect(prefixes.at(-1)?.[1]).toBe(0xffff);
    for (const [index, [from = 0, to = 0]] of prefixes.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      if (index > 0) expect(from).toBe((prefixes[index - 1]?.[1] ?? 0) + 1);
    }
  },
);
