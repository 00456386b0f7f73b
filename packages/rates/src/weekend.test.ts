import { describe, expect, it } from "vitest";
import { isExchangeClosed, isResting, secondsToOpening } from "./weekend.ts";

describe("the exchange markets", () => {
  it.each([
    ["2026-11-27T21:59:59Z", false],
    ["2026-11-27T22:00:00Z", true],
    ["2026-11-28T12:00:00Z", true],
    ["2026-11-29T21:59:59Z", true],
    ["2026-11-29T22:00:00Z", false],
    ["2026-12-02T12:00:00Z", false],
    // In summer New York is an hour nearer.
    ["2026-07-03T20:59:59Z", false],
    ["2026-07-03T21:00:00Z", true],
    ["2026-07-05T20:59:59Z", true],
    ["2026-07-05T21:00:00Z", false],
  ])("at %s are closed: %s", (time, closed) => {
    expect(isExchangeClosed(Date.parse(time))).toBe(closed);
  });
});

it("the time to the opening is in whole minutes, and an hour at most", () => {
  expect(secondsToOpening(Date.parse("2026-11-29T21:58:30Z"))).toBe(120);
  expect(secondsToOpening(Date.parse("2026-11-28T12:00:00Z"))).toBe(3_600);
});

describe("a currency", () => {
  const saturday = Date.parse("2026-11-28T12:00:00Z");

  it("rests with fewer than two sources that trade at weekends", () => {
    expect(isResting(["gmo", "swissquote", "truefx"], saturday)).toBe(true);
    expect(isResting(["kraken", "swissquote", "truefx"], saturday)).toBe(true);
    expect(isResting(["kraken", "okx", "truefx"], saturday)).toBe(false);
    expect(isResting(["kraken", "swissquote", "truefx"], Date.parse("2026-12-02T12:00:00Z"))).toBe(false);
  });

  it("of the devnet, or without sources, never rests", () => {
    expect(isResting(["devnet"], saturday)).toBe(false);
    expect(isResting([], saturday)).toBe(false);
  });
});
