import { expect, it } from "vitest";
import { missingOf, surplusOf } from "./payment-state.ts";

it("the missing amount and the surplus follow from the difference; nothing is missing once the order is accepted", () => {
  expect([missingOf("-12.75", null), surplusOf("-12.75")]).toEqual(["12.75", null]);
  expect([missingOf("3", null), surplusOf("3")]).toEqual([null, "3"]);
  expect([missingOf("0", null), surplusOf("0"), missingOf(null, null), surplusOf(null)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(missingOf("-12.75", "2026-01-01T12:00:00Z")).toBeNull();
});
