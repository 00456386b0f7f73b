import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@daric/runtime/clock";
import { createOfflineContext } from "@daric/testing/offline-context";
import { expect, it } from "vitest";
import { apiConnections, endUnreadAnswers } from "./connections.ts";
import { createServer } from "./server.ts";

it("the API accepts 12,000 connections, or the setting, as far as ulimit -n leaves room for other files", () => {
  const max = (wanted: number | undefined, openFiles: number) => apiConnections(wanted, openFiles).max;
  expect(max(undefined, 20_000)).toBe(12_000);
  expect(max(undefined, Number.POSITIVE_INFINITY)).toBe(12_000);
  expect(max(undefined, 1_024)).toBe(768);
  expect(max(undefined, 400)).toBe(144);
  expect(max(undefined, 256)).toBe(64);
  expect(max(100, 20_000)).toBe(100);
  expect(max(100_000, 20_000)).toBe(19_744);
  expect(apiConnections(undefined, 20_000).perAddress).toBe(1_500);
  expect(apiConnections(200, 20_000).perAddress).toBe(25);
});

it("the limit of open files is read from the process itself", () => {
  expect(apiConnections().openFiles).toBeGreaterThan(100);
});

it("headers have 12 s at most and a request 32 s, and an idle connection is kept for more than a minute", async () => {
  const app = createServer(createOfflineContext());
  const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server;
  const { connectionsCheckingInterval } = app.server as unknown as { connectionsCheckingInterval: number };
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(12_000);
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(32_000);
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
  await app.close();
});

const UNREAD_MS = 100;

/** The reports of unread answers, one for each look. */
let reported: boolean[] = [];

/** A connection with this many unread bytes at each look; returns whether it ended after this time. */
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

it("a connection ends after no byte, or in twice the time not all bytes, were read", async () => {
  expect(await endsAfter(90, () => 10)).toBe(false);
  expect(await endsAfter(150, () => 10)).toBe(true);
  expect(await endsAfter(190, (check) => 1_000 - check)).toBe(false);
  expect(await endsAfter(250, (check) => 1_000 - check)).toBe(true);
  expect(await endsAfter(500, (check) => (check % 9 === 0 ? 0 : 1_000 - check))).toBe(false);
});

it("an unread answer is reported after a fifteenth of that time, and reported again as read", async () => {
  await endsAfter(50, (check) => (check === 5 ? 0 : 10));
  expect(reported).toEqual([false, true, true, true, false]);
});
