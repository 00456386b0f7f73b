import { expect, it } from "vitest";
import { parseDurationMs } from "./duration.ts";

it("a duration is a whole number and one unit", () => {
  expect(["500ms", "15s", "10m", "24h", "7d", "0s", " 1s "].map(parseDurationMs)).toEqual([
    500, 15_000, 600_000, 86_400_000, 604_800_000, 0, 1_000,
  ]);
});

it("any other text is undefined", () => {
  for (const text of ["", "10", "s", "-1s", "1.5h", "1h30m", "1 s", "1w", "1S", "1e3s", "9999999999s"]) {
    expect(parseDurationMs(text)).toBeUndefined();
  }
});
