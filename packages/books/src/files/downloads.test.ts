import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDownloads, paced } from "./downloads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function* lines(bytes: number, count: number): AsyncGenerator<string> {
  for (let n = 0; n < count; n += 1) yield "x".repeat(bytes);
}

/** Takes lines, each after a pause, until the download is ended; returns how many it got. */
async function readSlowly(bytes: number, pauseMs: number): Promise<number> {
  let hasEnded = false;
  let taken = 0;
  const end = () => {
    hasEnded = true;
  };
  for await (const _ of paced(lines(bytes, 500), end)) {
    taken += 1;
    await vi.advanceTimersByTimeAsync(pauseMs);
    if (hasEnded) break;
  }
  return taken;
}

it("a download ends when a megabyte takes its reader longer than a minute, and not before", async () => {
  expect(await readSlowly(4_000, 5_000)).toBe(12);
  expect(await readSlowly(100_000, 5_900)).toBe(500);
  expect(await readSlowly(1_000_000, 60_001)).toBe(1);
});

it("a download ends once its caller has other rights, and asks at most once a second", async () => {
  let asked = 0;
  const { whileAllowed } = createDownloads(async () => {
    asked += 1;
    return asked < 3;
  });
  const pieces = whileAllowed(lines(1, 100), { request: {} as never, scopes: ["charges:read"] });
  let taken = 0;
  const reading = (async () => {
    for await (const _ of pieces) {
      taken += 1;
      await vi.advanceTimersByTimeAsync(250);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" });
  expect({ asked, taken }).toEqual({ asked: 3, taken: 12 });
});
