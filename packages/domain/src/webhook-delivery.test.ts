import { expect, it } from "vitest";
import { attemptVerdict, deliveryMachine, isAccepted, retryDelayMs } from "./webhook-delivery.ts";

const minute = 60_000;
const hour = 60 * minute;
const scheduleMs = [
  0,
  5_000,
  30_000,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
];

it("a delivery moves along these edges and no others", () => {
  expect(deliveryMachine.events.map((event) => [event, deliveryMachine.edge(event)])).toEqual([
    ["claimed", { from: ["PENDING", "FAILED"], to: "SENDING" }],
    ["abandoned", { from: ["PENDING", "FAILED"], to: "EXHAUSTED" }],
    ["accepted", { from: ["SENDING"], to: "DELIVERED" }],
    ["rejected", { from: ["SENDING"], to: "FAILED" }],
    ["spent", { from: ["SENDING"], to: "EXHAUSTED" }],
    ["lapsed", { from: ["SENDING"], to: "FAILED" }],
    ["resent", { from: ["DELIVERED", "EXHAUSTED"], to: "PENDING" }],
  ]);
});

it("any 2xx status is accepted, and no other", () => {
  const accepted = Array.from({ length: 1_000 }, (_, statusCode) => statusCode).filter(isAccepted);
  expect(accepted).toEqual(Array.from({ length: 100 }, (_, index) => 200 + index));
});

it("the waits follow the schedule within ±20 %", () => {
  for (const [attempt, base] of scheduleMs.entries()) {
    expect(retryDelayMs(scheduleMs, attempt, 0.5)).toBe(base);
    expect(retryDelayMs(scheduleMs, attempt, 0)).toBe(Math.round(base * 0.8));
    expect(retryDelayMs(scheduleMs, attempt, 0.999_999)).toBeLessThanOrEqual(base * 1.2);
  }
  expect(retryDelayMs(scheduleMs, 12, 0.5)).toBeUndefined();
});

it("a rejected delivery is tried twelve times in about three days and is then exhausted", () => {
  const verdicts = scheduleMs.map((_, index) =>
    attemptVerdict({ attempt: index + 1, error: "http_status", scheduleMs, random: 0.5 }),
  );
  expect(verdicts.slice(0, 11).map(({ event }) => event)).toEqual(Array(11).fill("rejected"));
  expect(verdicts[11]).toEqual({ event: "spent", delayMs: null });
  const waited = verdicts.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0);
  expect(waited / hour).toBeCloseTo(70.71, 1);
});

it("an accepted attempt delivers, also the last one", () => {
  for (const attempt of [1, 12])
    expect(attemptVerdict({ attempt, error: null, scheduleMs, random: 0.5 })).toEqual({
      event: "accepted",
      delayMs: null,
    });
});

it("a lost result of the first three attempts is retried at once, of later ones after its wait, of the last not", () => {
  const evaluate = (attempt: number) =>
    attemptVerdict({ attempt, error: "lease_expired", scheduleMs, random: 0.5 });
  for (const attempt of [1, 2, 3]) expect(evaluate(attempt)).toEqual({ event: "lapsed", delayMs: 0 });
  expect(evaluate(4)).toEqual({ event: "lapsed", delayMs: scheduleMs[4] });
  expect(evaluate(12)).toEqual({ event: "spent", delayMs: null });
});

it("a try that asks for a pause is followed at its end, counts only when it may not pause, and shortens no wait", () => {
  const evaluate = (attempt: number, pauseMs: number, mayPause: boolean) =>
    attemptVerdict({ attempt, error: "http_status", scheduleMs, random: 0.5, pauseMs, mayPause });
  for (const attempt of [1, 12, 40])
    expect(evaluate(attempt, hour, true)).toEqual({ event: "rejected", delayMs: hour, isUncounted: true });
  expect(evaluate(1, hour, false)).toEqual({ event: "rejected", delayMs: hour });
  expect(evaluate(4, minute, false)).toEqual({ event: "rejected", delayMs: 10 * minute });
  expect(evaluate(12, hour, false)).toEqual({ event: "spent", delayMs: null });
  expect(evaluate(1, 0, true)).toEqual({ event: "rejected", delayMs: 5_000 });
});

it("a delivery without a stored body is not retried", () => {
  expect(attemptVerdict({ attempt: 1, error: "body_missing", scheduleMs, random: 0.5 })).toEqual({
    event: "spent",
    delayMs: null,
  });
});
