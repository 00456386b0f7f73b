import ipaddr from "ipaddr.js";
import { ApiError } from "../domain/errors.ts";
import type { Clock } from "../runtime/clock.ts";

/** Keys remembered at most. Beyond it the one that was quiet for longest is forgotten. */
const MAX_KEYS = 20_000;
const IPV6_SITE_BYTES = 8;

type Bucket = { tokens: number; atMs: number };

export type RateLimiter = {
  /** Takes one token, and answers 0; or the whole seconds until there is one, and takes nothing. */
  take(key: string): number;
  /** What `take` would answer now. */
  secondsUntilFree(key: string): number;
};

/**
 * A token bucket per key, in this process only: `burst` tokens at most, `perSecond` new ones. Memory is bounded:
 * a bucket that is full again is the same as one that never was.
 */
export function createRateLimiter(options: { perSecond: number; burst: number; clock: Clock }): RateLimiter {
  const { perSecond, burst, clock } = options;
  const buckets = new Map<string, Bucket>();

  function fillOf(key: string, nowMs: number): number {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
  }

  function secondsUntil(tokens: number): number {
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perSecond);
  }

  function store(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    const [quietest] = buckets.size > MAX_KEYS ? buckets.keys() : [];
    if (quietest !== undefined) buckets.delete(quietest);
  }

  return {
    take(key) {
      const nowMs = clock.monotonicMs();
      const tokens = fillOf(key, nowMs);
      if (tokens < 1) return secondsUntil(tokens);
      store(key, { tokens: tokens - 1, atMs: nowMs });
      return 0;
    },
    secondsUntilFree: (key) => secondsUntil(fillOf(key, clock.monotonicMs())),
  };
}

/**
 * Takes one token for this key.
 *
 * @throws RATE_LIMITED when there is none; it says when to come back.
 */
export function takeOrRefuse(limiter: RateLimiter, key: string): void {
  refuseFor(limiter.take(key));
}

/** @throws RATE_LIMITED when there is a number of seconds to wait. */
export function refuseFor(seconds: number): void {
  if (seconds > 0) throw new ApiError("RATE_LIMITED", { retryAfterSeconds: seconds });
}

/** The key under which an address is counted: one IPv4 address, or the /64 that one IPv6 customer has. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return Buffer.from(address.toByteArray().slice(0, IPV6_SITE_BYTES)).toString("hex");
}
