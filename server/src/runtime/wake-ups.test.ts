import { expect, it } from "vitest";
import { createWakeUps } from "./wake-ups.ts";

it("a hint reaches everybody who follows, and nobody has to", () => {
  const hints = createWakeUps();
  hints.give();
  const heard: string[] = [];
  hints.follow(() => heard.push("first"));
  hints.follow(() => heard.push("second"));
  hints.give();
  expect(heard).toEqual(["first", "second"]);
});

it("whoever follows can ask whether hints come at all", () => {
  const hints = createWakeUps();
  expect(hints.isGiven()).toBe(false);
  hints.setGiven(true);
  expect(hints.isGiven()).toBe(true);
  hints.setGiven(false);
  expect(hints.isGiven()).toBe(false);
});
