import { describe, expect, it } from "vitest";
import {
  exitCodeOf,
  isInconclusive,
  passes,
  quantileOf,
  ratioOf,
  type Stretch,
  spreadOf,
} from "./verdict.ts";

function stretch(rate: number, cpu = 100): Stretch {
  return { rate, processUs: cpu * 0.75, postgresUs: cpu * 0.25, generatorUs: 50 };
}

describe("the ratio of a round", () => {
  it("is ours divided by the mean of the ceilings before and after", () => {
    const round = { before: stretch(3_000), ours: stretch(1_000), after: stretch(5_000) };
    expect(ratioOf(round, "rate")).toBe(0.25);
  });

  it("by CPU includes PostgreSQL's and excludes the generator's", () => {
    const round = { before: stretch(1, 40), ours: stretch(1, 180), after: stretch(1, 80) };
    expect(ratioOf(round, "cpu")).toBe(3);
  });
});

describe("the spread of rounds", () => {
  it("is the middle one of an odd number, and the mean of the middle two of an even one", () => {
    expect(spreadOf([5, 1, 100])).toEqual({ median: 5, min: 1, max: 100 });
    expect(spreadOf([4, 1, 2, 100])).toEqual({ median: 3, min: 1, max: 100 });
  });

  it("of no values is an error", () => {
    expect(() => spreadOf([])).toThrow("nothing was measured");
  });
});

describe("a share of the rounds", () => {
  it("is not above its quantile, which is one of them", () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([quantileOf(values, 0.99), quantileOf(values, 0.5), quantileOf([7], 0.99)]).toEqual([198, 100, 7]);
    expect(() => quantileOf([], 0.99)).toThrow("nothing was measured");
  });
});

describe("a run", () => {
  it("is inconclusive when two of its ceilings differ by more than twofold", () => {
    expect(isInconclusive([1_000, 2_000, 1_500])).toBe(false);
    expect(isInconclusive([1_000, 2_001, 1_500])).toBe(true);
  });

  it("passes at the bar in either direction, and a missed goal fails nothing", () => {
    expect([passes(0.25, { must: 0.25, goal: 0.3 }), passes(0.249, { must: 0.25 })]).toEqual([true, false]);
    expect([passes(1.2, { max: 1.2 }), passes(1.201, { max: 1.2 })]).toEqual([true, false]);
  });

  it("reports inconclusive before a missed bar", () => {
    expect(exitCodeOf({ isPassed: true, isInconclusive: false })).toBe(0);
    expect(exitCodeOf({ isPassed: false, isInconclusive: false })).toBe(1);
    expect(exitCodeOf({ isPassed: false, isInconclusive: true })).toBe(2);
  });
});
