import { expect, it } from "vitest";
import { throttleProgress } from "./throttle-progress.ts";

it("prints nothing for a fast command, and at most one line in three seconds", () => {
  let nowMs = 100;
  const printed: string[] = [];
  const print = throttleProgress({ monotonicMs: () => nowMs }, (line) => printed.push(line));
  for (const line of ["at once", "in the first three seconds"]) print(line);
  nowMs = 3_100;
  for (const line of ["after three", "again"]) print(line);
  nowMs = 6_099;
  print("too soon");
  nowMs = 9_000;
  print("after six");
  expect(printed).toEqual(["after three", "after six"]);
});
