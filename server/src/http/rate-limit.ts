import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";
import { ApiError } from "../domain/errors.ts";
import type { Clock } from "../runtime/clock.ts";

/** Keys remembered at most. Beyond it the one that was quiet for longest is forgotten. */
const MAX_KEYS = 20_000;
const IPV6_SITE_BYTES = 8;

type Bucket = { tokens: number; atMs: number };

/** How much of a limit one key has left. */
type Quota = {
  /** whole seconds until one more may come; 0 where it may now */
  readonly waitSeconds: number;
  /** how many may come at once */
  readonly remaining: number;
  /** whole seconds until it is all of the limit again */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  /** how many may come at once after a rest */
  readonly limit: number;
  /** what is counted and how much of it is too much, to tell a caller */
  readonly rule: string;
  /** Takes one token where there is one, and says what is left. */
  take(key: string): Quota;
  /** How things stand, without taking. */
  inspect(key: string): Quota;
};

/**
 * A token bucket per key, in this process only: `burst` tokens at most, `perSecond` new ones. Memory is bounded:
 * a bucket that is full again is the same as one that never was. `counted` is what a token stands for, in the plural.
 */
export function createRateLimiter(options: {
  perSecond: number;
  burst: number;
  clock: Clock;
  counted?: string;
}): RateLimiter {
  const { perSecond, burst, clock, counted = "requests" } = options;
  const buckets = new Map<string, Bucket>();

  function fillOf(key: string, nowMs: number): number {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
  }

  function quotaOf(tokens: number, waitSeconds: number): Quota {
    return {
      waitSeconds,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil((burst - tokens) / perSecond),
    };
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

  function inspect(key: string): Quota {
    const tokens = fillOf(key, clock.monotonicMs());
    return quotaOf(tokens, secondsUntil(tokens));
  }

  return {
    limit: burst,
    rule: `${counted}: more than ${pace(perSecond, burst)}`,
    take(key) {
      const nowMs = clock.monotonicMs();
      const tokens = fillOf(key, nowMs);
      if (tokens < 1) return quotaOf(tokens, secondsUntil(tokens));
      store(key, { tokens: tokens - 1, atMs: nowMs });
      return quotaOf(tokens - 1, 0);
    },
    inspect,
  };
}

/** A limit of which a whole minute's share may come at once is one by the minute. */
function pace(perSecond: number, burst: number): string {
  const perMinute = Math.round(perSecond * 60);
  return perSecond < 1 || perMinute === burst ? `${perMinute} a minute` : `${perSecond} a second`;
}

/**
 * Takes one token for this key.
 *
 * @throws RATE_LIMITED when there is none; it says what the limit is and when to come back.
 */
export function takeOrRefuse(limiter: RateLimiter, key: string): void {
  refuseSpent(limiter, limiter.take(key));
}

/** @throws RATE_LIMITED when there is a number of seconds to wait; it says what the limit is and when to come back. */
export function refuseSpent({ limit, rule }: RateLimiter, { waitSeconds, resetSeconds }: Quota): void {
  if (waitSeconds === 0) return;
  throw new ApiError("RATE_LIMITED", {
    message: `Too many ${rule}. Retry in ${waitSeconds} s.`,
    retryAfterSeconds: waitSeconds,
    spent: { limit, resetSeconds },
  });
}

/** Tells the caller how it stands with a limit. */
export function sendQuotaHeaders(
  reply: FastifyReply,
  limit: number,
  { remaining, resetSeconds }: Pick<Quota, "remaining" | "resetSeconds">,
): void {
  reply.header("ratelimit-limit", String(limit));
  reply.header("ratelimit-remaining", String(remaining));
  reply.header("ratelimit-reset", String(resetSeconds));
}

/** The key under which an address is counted: one IPv4 address, or the /64 that one IPv6 customer has. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return Buffer.from(address.toByteArray().slice(0, IPV6_SITE_BYTES)).toString("hex");
}
