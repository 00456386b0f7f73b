import { expect, it } from "vitest";
import { MONTH_PATTERN, monthBounds } from "./month.ts";

it.each([
  ["2026-02", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
  ["2025-12", "2025-12-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
])("the month %s lasts from its first moment to that of the next month, in UTC", (month, from, to) => {
  const bounds = monthBounds(month);
  expect([bounds.from.toISOString(), bounds.to.toISOString()]).toEqual([from, to]);
});

it.each(["2026-00", "2026-13", "2026-1", "1999-12", "2026-01-01", " 2026-01", "2026-01\n"])(
  "%j is not a month",
  (text) => {
    expect(MONTH_PATTERN.test(text)).toBe(false);
  },
);
