import { expect, it, vi } from "vitest";
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

it("wake-ups that may wait come a little later, one for a storm of them", () => {
  vi.useFakeTimers();
  const wakeUps = createWakeUps();
  let times = 0;
  wakeUps.onWakeUp(() => (times += 1));
  for (let request = 0; request < 100; request += 1) wakeUps.notifySoon();
  expect(times).toBe(0);
  vi.advanceTimersByTime(300);
  expect(times).toBe(1);
  wakeUps.notifySoon();
  vi.advanceTimersByTime(300);
  expect(times).toBe(2);
  vi.useRealTimers();
});
