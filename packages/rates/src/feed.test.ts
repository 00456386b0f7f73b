import { describe, expect, it } from "vitest";
import { fetchAgainMs, usualPace } from "./feed.ts";

describe("the wait before the next call of a source", () => {
  const isAbout = (ms: number, expected: number) => ms >= expected && ms <= expected * 1.2;

  it("is 20 s after an answer, so that two calls may fail before the answer is too old", () => {
    expect(isAbout(fetchAgainMs(usualPace, 0), 20_000)).toBe(true);
  });

  it.each([
    [1, 5_000],
    [2, 10_000],
    [4, 40_000],
    [5, 60_000],
    [1_000, 60_000],
  ])("after %d failures in a row is about %d ms", (failures, expected) => {
    expect(isAbout(fetchAgainMs(usualPace, failures), expected)).toBe(true);
  });

  it("is never shorter than the source's Retry-After", () => {
    expect(isAbout(fetchAgainMs(usualPace, 1, 45_000), 45_000)).toBe(true);
    expect(isAbout(fetchAgainMs(usualPace, 5, 1_000), 60_000)).toBe(true);
  });

  it("differs from process to process", () => {
    expect(new Set(Array.from({ length: 20 }, () => fetchAgainMs(usualPace, 0))).size).toBeGreaterThan(1);
  });
});
