import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "../runtime/clock.ts";
import { endUnreadAnswers } from "./unread-answers.ts";

const UNREAD_MS = 100;

/** What was told of the connection at each look. */
let reported: boolean[] = [];

/** A connection of which so much waits at each look; answers whether it was ended after so long. */
async function endsAfter(ms: number, untaken: (check: number) => number): Promise<boolean> {
  let [nowMs, check, isEnded] = [0, 0, false];
  const socket = {
    get writableLength() {
      return untaken(check);
    },
    destroy: () => {
      isEnded = true;
    },
  };
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const all = () => {
    check += 1;
    nowMs = check * 10;
    return nowMs > ms || isEnded ? [] : [socket as unknown as Socket];
  };
  reported = [];
  const stop = endUnreadAnswers(
    { all, reportUnread: (_, isUnread) => reported.push(isUnread) },
    clock,
    UNREAD_MS,
  );
  while (nowMs <= ms && !isEnded) await sleep(5);
  stop();
  return isEnded;
}

it("a connection ends where nothing of an answer is taken, or where a little is taken for twice as long", async () => {
  expect(await endsAfter(90, () => 10)).toBe(false);
  expect(await endsAfter(150, () => 10)).toBe(true);
  expect(await endsAfter(190, (check) => 1_000 - check)).toBe(false);
  expect(await endsAfter(250, (check) => 1_000 - check)).toBe(true);
  expect(await endsAfter(500, (check) => (check % 9 === 0 ? 0 : 1_000 - check))).toBe(false);
});

it("a connection is told of once nothing of an answer was taken for a fifteenth of that time, and again once it is", async () => {
  await endsAfter(50, (check) => (check === 5 ? 0 : 10));
  expect(reported).toEqual([false, true, true, true, false]);
});
