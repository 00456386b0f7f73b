import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastCalendarDays } from "./calendar-days.ts";

const DAYS = 30;

describe("the last 30 calendar days of a time zone", () => {
  it.each([
    ["in the evening after summer time ended", "2026-11-10T22:30:00Z", "2026-10-12", "2026-11-10"],
    ["in the night after summer time began", "2027-04-03T22:30:00Z", "2027-03-06", "2027-04-04"],
  ])("%s are 30 different dates", (_when, now, first, last) => {
    const days = lastCalendarDays(new Date(now), "Europe/Berlin", DAYS);
    expect([days[0], days.at(-1), new Set(days).size]).toEqual([first, last, DAYS]);
  });

  it("end today and follow one another, in any zone at any time", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const times = fc.date({
      min: new Date("2000-01-01T00:00:00Z"),
      max: new Date("2100-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, times, (timeZone, now) => {
        const days = lastCalendarDays(now, timeZone, DAYS);
        const parts = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
        expect(days.at(-1)).toBe(parts.format(now));
        const steps = days.slice(1).map((day, index) => Date.parse(day) - Date.parse(days[index] ?? ""));
        expect(new Set(steps)).toEqual(new Set([86_400_000]));
      }),
      { numRuns: 500 },
    );
  });
});
