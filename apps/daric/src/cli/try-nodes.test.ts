import { expect, it } from "vitest";
import { tryClock } from "./try-nodes.ts";

const verdictOf = (...agesMs: number[]) => tryClock(agesMs).map(({ verdict }) => verdict);

it("a clock is wrong if it is a minute behind one block, or a minute ahead of the newest block of every node", () => {
  expect(verdictOf(3_000, -60_000)).toEqual(["OK"]);
  expect(verdictOf(3_000, -60_001)).toEqual(["fault"]);
  expect(verdictOf(60_000, 900_000)).toEqual(["OK"]);
  expect(verdictOf(60_001, 900_000)).toEqual(["fault"]);
  expect(verdictOf()).toEqual([]);
});
