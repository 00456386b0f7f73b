import { expect, it } from "vitest";
import { throttleProgress } from "./now-and-then.ts";

it("says nothing of what is quick, and then a line in three seconds at most", () => {
  let nowMs = 100;
  const said: string[] = [];
  const say = throttleProgress({ monotonicMs: () => nowMs }, (line) => said.push(line));
  for (const line of ["at once", "in the first three seconds"]) say(line);
  nowMs = 3_100;
  for (const line of ["after three", "again"]) say(line);
  nowMs = 6_099;
  say("too soon");
  nowMs = 9_000;
  say("after six");
  expect(said).toEqual(["after three", "after six"]);
});
