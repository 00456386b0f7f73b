import { expect, it } from "vitest";
import { createWakeUps } from "./wake-ups.ts";

it("a wake-up reaches all followers, and works without any", () => {
  const wakeUps = createWakeUps();
  wakeUps.notify();
  const logged: string[] = [];
  wakeUps.onWakeUp(() => logged.push("first"));
  wakeUps.onWakeUp(() => logged.push("second"));
  wakeUps.notify();
  expect(logged).toEqual(["first", "second"]);
});
