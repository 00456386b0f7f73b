import { expect, test } from "vitest";
import {
  isAccepted,
  judgeAttempt,
  nextWebhookDeliveryStatus,
  retryDelayMs,
  webhookDeliveryEvents,
  webhookDeliveryStatuses,
} from "./webhook-delivery.ts";

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

test("the whole graph of a delivery", () => {
  const matrix = webhookDeliveryStatuses.flatMap((status) =>
    webhookDeliveryEvents.map(
      (event) => `${status} ${event} -> ${nextWebhookDeliveryStatus(status, event) ?? "refused"}`,
    ),
  );
  expect(matrix).toEqual([
    "PENDING claimed -> SENDING",
    "PENDING accepted -> refused",
    "PENDING rejected -> refused",
    "PENDING spent -> refused",
    "PENDING lapsed -> refused",
    "PENDING abandoned -> EXHAUSTED",
    "SENDING claimed -> refused",
    "SENDING accepted -> DELIVERED",
    "SENDING rejected -> FAILED",
    "SENDING spent -> EXHAUSTED",
    "SENDING lapsed -> FAILED",
    "SENDING abandoned -> EXHAUSTED",
    "DELIVERED claimed -> refused",
    "DELIVERED accepted -> refused",
    "DELIVERED rejected -> refused",
    "DELIVERED spent -> refused",
    "DELIVERED lapsed -> refused",
    "DELIVERED abandoned -> refused",
    "FAILED claimed -> SENDING",
    "FAILED accepted -> refused",
    "FAILED rejected -> refused",
    "FAILED spent -> refused",
    "FAILED lapsed -> refused",
    "FAILED abandoned -> EXHAUSTED",
    "EXHAUSTED claimed -> refused",
    "EXHAUSTED accepted -> refused",
    "EXHAUSTED rejected -> refused",
    "EXHAUSTED spent -> refused",
    "EXHAUSTED lapsed -> refused",
    "EXHAUSTED abandoned -> refused",
  ]);
});

test("every 2xx is accepted and nothing else", () => {
  const accepted = Array.from({ length: 1_000 }, (_, statusCode) => statusCode).filter(isAccepted);
  expect(accepted).toEqual(Array.from({ length: 100 }, (_, index) => 200 + index));
});

test("waits follow the schedule within 20 % either way", () => {
  for (const [attempt, base] of scheduleMs.entries()) {
    expect(retryDelayMs(scheduleMs, attempt, 0.5)).toBe(base);
    expect(retryDelayMs(scheduleMs, attempt, 0)).toBe(Math.round(base * 0.8));
    expect(retryDelayMs(scheduleMs, attempt, 0.999_999)).toBeLessThanOrEqual(base * 1.2);
  }
  expect(retryDelayMs(scheduleMs, 12, 0.5)).toBeUndefined();
});

test("a rejected delivery is tried twelve times over about three days and is then exhausted", () => {
  const verdicts = scheduleMs.map((_, index) =>
    judgeAttempt({ attempt: index + 1, error: "http_status", scheduleMs, random: 0.5 }),
  );
  expect(verdicts.slice(0, 11).map(({ status }) => status)).toEqual(Array(11).fill("FAILED"));
  expect(verdicts[11]).toEqual({ status: "EXHAUSTED", delayMs: null });
  const waited = verdicts.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0);
  expect(waited / hour).toBeCloseTo(70.71, 1);
});

test("an accepted attempt delivers, the last one too", () => {
  for (const attempt of [1, 12])
    expect(judgeAttempt({ attempt, error: null, scheduleMs, random: 0.5 })).toEqual({
      status: "DELIVERED",
      delayMs: null,
    });
});

test("a lost result is tried again at once, unless it was the last try", () => {
  const judge = (attempt: number) =>
    judgeAttempt({ attempt, error: "lease_expired", scheduleMs, random: 0.5 });
  expect(judge(3)).toEqual({ status: "FAILED", delayMs: 0 });
  expect(judge(12)).toEqual({ status: "EXHAUSTED", delayMs: null });
});
