import { expect, it } from "vitest";
import { isMonthClosed, MONTH_PATTERN } from "./month.ts";

it.each(["2026-00", "2026-13", "2026-1", "1999-12", "2026-01-01", " 2026-01", "2026-01\n"])(
  "%j is not a month",
  (text) => {
    expect(MONTH_PATTERN.test(text)).toBe(false);
  },
);

it("a month is closed five minutes after its end", () => {
  const to = new Date("2026-11-30T18:15:00Z");
  const isClosed = (time: string) => isMonthClosed({ to }, new Date(time));
  expect(["2026-11-30T18:19:59Z", "2026-11-30T18:20:00Z"].map(isClosed)).toEqual([false, true]);
});
