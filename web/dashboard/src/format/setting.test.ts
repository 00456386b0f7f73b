import { expect, it } from "vitest";
import { basisPointsText, durationText } from "./setting.ts";

it("a duration is written in the largest unit that is whole", () => {
  expect(durationText(86_400)).toBe("1d");
  expect(durationText(5_400)).toBe("90m");
  expect(durationText(3_601)).toBe("3601s");
  expect(durationText(0)).toBe("0s");
});

it("basis points are written as per cent", () => {
  expect(basisPointsText(50)).toBe("0.5");
  expect(basisPointsText(0)).toBe("0");
});
