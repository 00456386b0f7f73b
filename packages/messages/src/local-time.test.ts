import { expect, it } from "vitest";
import { endOfQuiet, isWithin, parseMinute, parseSpan } from "./local-time.ts";

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

const endsAt = (at: string, span: string, zone: string) =>
  endOfQuiet(new Date(at), parseSpan(span), zone)?.toISOString();

it.each([
  ["2026-03-28T23:30:00Z", "22:00-07:00", "Europe/Berlin", "2026-03-29T05:00:00.000Z"],
  ["2026-10-24T23:30:30Z", "22:00-07:00", "Europe/Berlin", "2026-10-25T06:00:00.000Z"],
  ["2026-03-29T00:30:00Z", "01:00-02:30", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["2026-06-01T12:00:00Z", "22:00-07:00", "Europe/Berlin", undefined],
  ["2026-06-01T05:00:00Z", "22:00-07:00", "Europe/Berlin", undefined],
  ["2026-06-01T12:00:00Z", "00:00-23:59", "Asia/Kathmandu", "2026-06-01T18:14:00.000Z"],
])("quiet hours at %s of %s in %s end at %s", (at, span, zone, end) => {
  expect(endsAt(at, span, zone)).toBe(end);
});
