import { describe, expect, it } from "vitest";
import { formatRemaining } from "./countdown.ts";

describe("formatRemaining", () => {
  it("shows what is left as a payer reads it", () => {
    const table: [number, string][] = [
      [6 * 86_400 + 3 * 3_600 + 59, "6 d 3 h"],
      [86_400, "1 d 0 h"],
      [86_399, "23:59:59"],
      [3_729, "1:02:09"],
      [3_599.9, "59:59"],
      [545, "9:05"],
      [60, "1:00"],
      [9.99, "0:09"],
      [0, "0:00"],
      [-3, "0:00"],
    ];
    for (const [seconds, text] of table) expect([seconds, formatRemaining(seconds)]).toEqual([seconds, text]);
  });
});
