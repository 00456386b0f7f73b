import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchClocks } from "./returns.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

it("a sleep in which only one clock goes on is noticed, once, and a running machine is not", () => {
  let jumps = 0;
  watchClocks(() => {
    jumps += 1;
  });
  vi.advanceTimersByTime(3_600_000);
  expect(jumps).toBe(0);
  for (const sleptMs of [300_000, -300_000]) {
    vi.setSystemTime(Date.now() + sleptMs);
    vi.advanceTimersByTime(60_000);
  }
  expect(jumps).toBe(2);
});
