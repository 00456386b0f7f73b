import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayBounds, isTimeZone, localTime, monthBounds } from "./time-zone.ts";

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
];

it("a time zone is one that the platform knows", () => {
  expect(["Europe/Berlin", "UTC", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, false, false]);
});

it("the local day and minute are those of the time zone", () => {
  expect(localTime(new Date("2026-12-31T23:30:00Z"), "Asia/Tehran")).toEqual({
    day: "2027-01-01",
    minute: 180,
  });
});

it.each([
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", 23],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z", 25],
  ["2026-06-01", "Asia/Kathmandu", "2026-05-31T18:15:00.000Z", 24],
  ["2026-12-31", "Pacific/Kiritimati", "2026-12-30T10:00:00.000Z", 24],
  ["2026-02-28", "UTC", "2026-02-28T00:00:00.000Z", 24],
])("the day %s in %s begins at %s and has %i hours", (day, timeZone, begin, hours) => {
  const { from, until } = dayBounds(day, timeZone);
  expect([from.toISOString(), (until.getTime() - from.getTime()) / 3_600_000]).toEqual([begin, hours]);
});

describe("a month in a time zone", () => {
  it.each([
    ["2026-03", "UTC", "2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z", 744],
    ["2026-03", "Europe/Berlin", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z", 743],
    ["2026-10", "Europe/Berlin", "2026-09-30T22:00:00.000Z", "2026-10-31T23:00:00.000Z", 745],
    ["2026-11", "America/New_York", "2026-11-01T04:00:00.000Z", "2026-12-01T05:00:00.000Z", 721],
    ["2026-04", "Pacific/Auckland", "2026-03-31T11:00:00.000Z", "2026-04-30T12:00:00.000Z", 721],
    ["2026-12", "Asia/Kathmandu", "2026-11-30T18:15:00.000Z", "2026-12-31T18:15:00.000Z", 744],
  ])("%s of %s is from %s to %s: %d hours", (month, zone, from, to, hours) => {
    const bounds = monthBounds(month, zone);
    expect([bounds.from, bounds.to].map((time) => time.toISOString())).toEqual([from, to]);
    expect((bounds.to.getTime() - bounds.from.getTime()) / 3_600_000).toBe(hours);
  });

  it("has every moment whose local day is in it, and no other", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2039-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        const { day } = localTime(at, zone);
        const month = monthBounds(day.slice(0, 7), zone);
        const { from, until } = dayBounds(day, zone);
        for (const [start, end] of [[month.from, month.to] as const, [from, until] as const]) {
          expect(at.getTime()).toBeGreaterThanOrEqual(start.getTime());
          expect(at.getTime()).toBeLessThan(end.getTime());
          expect(localTime(start, zone).minute).toBe(0);
        }
        expect(localTime(new Date(until.getTime() - 1), zone).day).toBe(day);
      }),
      { numRuns: 300 },
    );
  });
});
