import { setTimeout as sleep } from "node:timers/promises";

const MAX_PAUSE_MS = 50;

/** Waits until `check` returns true; its errors count as false. */
export async function until(
  what: string,
  check: () => Promise<boolean> | boolean,
  limitMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  let last: unknown;
  for (let pauseMs = 1; performance.now() < deadline; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      if (await check()) return;
    } catch (error) {
      last = error;
    }
    await sleep(pauseMs);
  }
  throw new Error(`waited ${limitMs} ms in vain until ${what}`, { cause: last });
}
