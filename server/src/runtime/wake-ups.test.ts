import { expect, it } from "vitest";
import { createWakeUps } from "./wake-ups.ts";

it("a hint reaches everybody who follows, and nobody has to", () => {
  const wakeUps = createWakeUps();
  wakeUps.notify();
  const logged: string[] = [];
  wakeUps.onWakeUp(() => logged.push("first"));
  wakeUps.onWakeUp(() => logged.push("second"));
  wakeUps.notify();
  expect(logged).toEqual(["first", "second"]);
});

it("whoever follows can ask whether hints come at all", () => {
  const wakeUps = createWakeUps();
  expect(wakeUps.isLocal()).toBe(false);
  wakeUps.setLocal(true);
  expect(wakeUps.isLocal()).toBe(true);
  wakeUps.setLocal(false);
  expect(wakeUps.isLocal()).toBe(false);
});
