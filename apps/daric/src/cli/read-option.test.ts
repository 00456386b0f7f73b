import { InvalidArgumentError } from "commander";
import { expect, it } from "vitest";
import { wholeNumber } from "./read-option.ts";

it("an option is a whole number within its limits, in plain digits", () => {
  const read = wholeNumber(1, 1_000);
  expect(["1", "007", "1000"].map(read)).toEqual([1, 7, 1_000]);
  for (const text of ["0", "1001", "-1", "1.5", "1e2", "0x1", " 1", "", "9".repeat(30)])
    expect(() => read(text), text).toThrow(InvalidArgumentError);
});
