import { createManualClock } from "@daric/testing/offline-context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, createRateLimiter, type RateLimiter, takeOrRefuse } from "./rate-limit.ts";

function takeAll(limiter: RateLimiter, key: string): number {
  let taken = 0;
  while (limiter.take(key).waitSeconds === 0) taken += 1;
  return taken;
}

describe("a token bucket", () => {
  it("starts full, refills at its rate and never holds more than its burst", () => {
    const clock = createManualClock();
    const limiter = createRateLimiter({ perSecond: 20, burst: 40, clock });
    expect(takeAll(limiter, "a")).toBe(40);
    clock.advance(500);
    expect(takeAll(limiter, "a")).toBe(10);
    clock.advance(3_600_000);
    expect(takeAll(limiter, "a")).toBe(40);
  });

  it("gives the whole seconds until the next token, which is there then", () => {
    const clock = createManualClock();
    const limiter = createRateLimiter({ perSecond: 0.1, burst: 1, clock });
    limiter.take("a");
    clock.advance(500);
    const seconds = limiter.take("a").waitSeconds;
    expect(seconds).toBe(10);
    clock.advance(seconds * 1000);
    expect(limiter.take("a").waitSeconds).toBe(0);
  });

  it("does not punish a refused request with a longer wait", () => {
    const clock = createManualClock();
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, clock });
    limiter.take("a");
    for (let n = 0; n < 100; n += 1) expect(limiter.take("a").waitSeconds).toBe(1);
    clock.advance(1000);
    expect(limiter.inspect("a").waitSeconds).toBe(0);
    expect(limiter.take("a").waitSeconds).toBe(0);
  });

  it("admits at most its burst and its rate in any period", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        waits,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (steps, burst, perSecond) => {
          const clock = createManualClock();
          const limiter = createRateLimiter({ perSecond, burst, clock });
          let taken = 0;
          for (const ms of steps) {
            clock.advance(ms);
            if (limiter.take("a").waitSeconds === 0) taken += 1;
            expect(taken).toBeLessThanOrEqual(burst + (clock.monotonicMs() / 1000) * perSecond + 1e-6);
          }
        },
      ),
    );
  });

  it("is separate for each key", () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, clock: createManualClock() });
    expect(["a", "b", "a"].map((key) => limiter.take(key).waitSeconds)).toEqual([0, 0, 1]);
  });

  it("of a key is forgotten only after many other keys were used", () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, clock: createManualClock() });
    limiter.take("a");
    for (let n = 0; n < 19_999; n += 1) limiter.take(`other-${n}`);
    expect(limiter.take("a").waitSeconds).toBe(1);
    limiter.take("one-more");
    expect(limiter.take("a").waitSeconds).toBe(0);
  });
});

describe("the rest of a limit", () => {
  it("is the number that may come at once, and the seconds until the limit is full again", () => {
    const clock = createManualClock();
    const limiter = createRateLimiter({ perSecond: 20, burst: 40, clock });
    expect(limiter.limit).toBe(40);
    expect(limiter.inspect("a")).toEqual({ waitSeconds: 0, remaining: 40, resetSeconds: 0 });
    expect(limiter.take("a")).toEqual({ waitSeconds: 0, remaining: 39, resetSeconds: 1 });
    takeAll(limiter, "a");
    expect(limiter.take("a")).toEqual({ waitSeconds: 1, remaining: 0, resetSeconds: 2 });
    clock.advance(75);
    expect(limiter.inspect("a")).toEqual({ waitSeconds: 0, remaining: 1, resetSeconds: 2 });
  });

  it("is unchanged by inspection", () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 2, clock: createManualClock() });
    for (let n = 0; n < 5; n += 1) expect(limiter.inspect("a").remaining).toBe(2);
  });

  it.each([
    [20, 40, undefined, "Too many requests: more than 20 a second. Retry in 1 s."],
    [2, 120, "reads", "Too many reads: more than 120 a minute. Retry in 1 s."],
    [
      0.1,
      6,
      "test events to this endpoint",
      "Too many test events to this endpoint: more than 6 a minute. Retry in 10 s.",
    ],
  ])("a refusal names the limit and the seconds (%d a second)", (perSecond, burst, counted, message) => {
    const limiter = createRateLimiter({
      perSecond,
      burst,
      clock: createManualClock(),
      ...(counted === undefined ? {} : { counted }),
    });
    takeAll(limiter, "a");
    const refusal = {
      code: "RATE_LIMITED",
      message,
      spent: { limit: burst, resetSeconds: burst / perSecond },
    };
    expect(() => takeOrRefuse(limiter, "a")).toThrow(expect.objectContaining(refusal));
  });
});

it("the key is an IPv4 address, the /64 of an IPv6 address, or the IPv4 of a mapped one", () => {
  expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
  expect(addressKey("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(addressKey("2001:db8:1:2::1")).toBe(addressKey("2001:db8:1:2:ffff::9"));
  expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
});
