import { expect, it } from "vitest";
import { createWakeUps } from "./wake-ups.ts";

it("a hint reaches everybody who follows, and nobody has to", () => {
  const wakeUps = createWakeUps();
  wakeUps.give();
  const heard: string[] = [];
  wakeUps.follow(() => heard.push("first"));
  wakeUps.follow(() => heard.push("second"));
  wakeUps.give();
  expect(heard).toEqual(["first", "second"]);
});

it("whoever follows can ask whether hints come at all", () => {
  const wakeUps = createWakeUps();
  expect(wakeUps.isGiven()).toBe(false);
  wakeUps.setGiven(true);
  expect(wakeUps.isGiven()).toBe(true);
  wakeUps.setGiven(false);
  expect(wakeUps.isGiven()).toBe(false);
});
