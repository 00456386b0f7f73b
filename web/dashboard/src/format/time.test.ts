import { describe, expect, it } from "vitest";
import { relativeTime, spanOf } from "./time.ts";

describe("times", () => {
  it("are given in the largest whole unit", () => {
    expect(spanOf(59)).toEqual({ count: 59, unit: "second" });
    expect(spanOf(119)).toEqual({ count: 1, unit: "minute" });
    expect(spanOf(47 * 3_600)).toEqual({ count: 47, unit: "hour" });
    expect(spanOf(48 * 3_600)).toEqual({ count: 2, unit: "day" });
  });

  it("differ by their tense", () => {
    const now = Date.UTC(2026, 0, 1, 12);
    expect(relativeTime("2026-01-01T11:57:00Z", now, "en")).toBe("3 minutes ago");
    expect(relativeTime("2026-01-01T14:00:00Z", now, "en")).toBe("in 2 hours");
  });
});
