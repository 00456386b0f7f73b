import { expect, it } from "vitest";
import { SLOT_MS } from "../ledger/limits.ts";
import { productionOf } from "./production.ts";

/** Three witnesses: block 1 in slot 3, and so on. */
const timestamps = [0, 3, 4, 6, 13].map((slot) => slot * SLOT_MS);

it("each turn counts its blocks and the slots without one, whole rounds of a pause included", () => {
  expect(productionOf(timestamps, 4, 3)).toEqual({ produced: [2, 2, 0], missed: [2, 2, 3] });
});

it("a block above the head does not count, and a chain of its first block alone has missed nothing", () => {
  expect(productionOf(timestamps, 3, 3)).toEqual({ produced: [2, 1, 0], missed: [0, 0, 1] });
  expect(productionOf(timestamps, 0, 3)).toEqual({ produced: [0, 0, 0], missed: [0, 0, 0] });
});
