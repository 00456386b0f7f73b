import { expect, it } from "vitest";
import { isWithin, localTime, parseMinute, parseSpan } from "./local-time.ts";

it("a time of day is 00:00 to 23:59, and a span has two different ones", () => {
  expect(["00:00", "23:59", "24:00", "7:00", "12:60", ""].map(parseMinute)).toEqual([
    0,
    1_439,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(parseSpan("22:00-07:00")).toEqual({ from: 1_320, to: 420 });
  expect(["22:00", "22:00-22:00", "22:00-07:00-08:00", "a-b"].map(parseSpan)).toEqual(
    Array(4).fill(undefined),
  );
});

it("a span over midnight holds until its end in the local time, also across a change of the clocks", () => {
  const span = { from: 1_320, to: 420 };
  const quiet = (at: string) => isWithin(new Date(at), span, "Europe/Berlin");
  expect(["2026-01-10T20:59:00Z", "2026-01-10T21:00:00Z", "2026-01-11T05:59:00Z"].map(quiet)).toEqual([
    false,
    true,
    true,
  ]);
  expect(quiet("2026-01-11T06:00:00Z")).toBe(false);
  expect(["2026-03-29T04:59:00Z", "2026-03-29T05:00:00Z"].map(quiet)).toEqual([true, false]);
  expect(isWithin(new Date("2026-01-10T22:00:00Z"), undefined, "UTC")).toBe(false);
});

it("the local day and minute are those of the time zone", () => {
  expect(localTime(new Date("2026-12-31T23:30:00Z"), "Asia/Tehran")).toEqual({
    day: "2027-01-01",
    minute: 180,
  });
});
