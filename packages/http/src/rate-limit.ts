import { ApiError } from "@daric/domain/errors";
import type { Clock } from "@daric/runtime/clock";
import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";

/** The most remembered keys. Beyond it the longest quiet one is forgotten. */
const MAX_KEYS = 20_000;
/** An IPv6 customer has a /64 at least, and often the /48 around it (RFC 6177). */
const IPV6_CUSTOMER_BYTES = 8;
const IPV6_SITE_BYTES = 6;
/** The limit of a /48, as a multiple of that of each /64 in it. */
const SITE_FACTOR = 4;

type Bucket = { tokens: number; atMs: number };

/** The remaining quota of a key. */
type Quota = {
  /** whole seconds until the next token; 0 if there is one */
  readonly waitSeconds: number;
  /** tokens now */
  readonly remaining: number;
  /** whole seconds until the bucket is full */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  /** the size of a full bucket */
  readonly limit: number;
  /** the limit in words, for callers */
  readonly rule: string;
  /** Takes one token if there is one, and returns the remaining quota. */
  take(key: string): Quota;
  /** Returns a token that {@link take} took, for an event that does not count. */
  giveBack(key: string): void;
  /** Returns the remaining quota without taking a token. */
  inspect(key: string): Quota;
};
type LimitOptions = {
  readonly perSecond: number;
  readonly burst: number;
  readonly clock: Clock;
  readonly counted?: string;
};

/**
 * A token bucket per key, in this process only: `burst` tokens at most, `perSecond` new ones. Memory is
 * bounded: a full bucket equals a new one. `counted` is a plural noun for the counted events.
 */
export function createRateLimiter(options: LimitOptions): RateLimiter {
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
    giveBack(key) {
      const nowMs = clock.monotonicMs();
      store(key, { tokens: Math.min(burst, fillOf(key, nowMs) + 1), atMs: nowMs });
    },
    inspect,
  };
}

/**
 * As {@link createRateLimiter}; the key is the address of a client. An IPv6 address counts for its /64, and for its /48 at four
 * times the limit.
 */
export function createAddressLimiter(options: LimitOptions): RateLimiter {
  const { perSecond, burst } = options;
  const customers = createRateLimiter(options);
  const sites = createRateLimiter({
    ...options,
    perSecond: SITE_FACTOR * perSecond,
    burst: SITE_FACTOR * burst,
  });

  function inspect(ip: string): Quota {
    const siteState = sites.inspect(siteKey(ip));
    return siteState.waitSeconds > 0 ? siteState : customers.inspect(addressKey(ip));
  }

  return {
    ...customers,
    take(ip) {
      const quota = inspect(ip);
      if (quota.waitSeconds > 0) return quota;
      sites.take(siteKey(ip));
      return customers.take(addressKey(ip));
    },
    giveBack(ip) {
      sites.giveBack(siteKey(ip));
      customers.giveBack(addressKey(ip));
    },
    inspect,
  };
}

/** A limit whose burst is a whole minute's share is stated per minute, and one of less than one a minute per day. */
function pace(perSecond: number, burst: number): string {
  const perMinute = Math.round(perSecond * 60);
  if (perMinute === 0) return `${Math.round(perSecond * 86_400)} a day`;
  return perSecond < 1 || perMinute === burst ? `${perMinute} a minute` : `${perSecond} a second`;
}

/**
 * Takes one token for this key.
 *
 * @throws RATE_LIMITED without one; the message has the limit and the seconds to wait.
 */
export function takeOrRefuse(limiter: RateLimiter, key: string): void {
  refuseSpent(limiter, limiter.take(key));
}

/** @throws RATE_LIMITED if there are seconds to wait; the message has the limit and the seconds. */
export function refuseSpent({ limit, rule }: RateLimiter, { waitSeconds, resetSeconds }: Quota): void {
  if (waitSeconds === 0) return;
  throw new ApiError("RATE_LIMITED", {
    message: `Too many ${rule}. Retry in ${waitSeconds} s.`,
    retryAfterSeconds: waitSeconds,
    spent: { limit, resetSeconds },
  });
}

/** Sends the RateLimit headers. */
export function sendQuotaHeaders(
  reply: FastifyReply,
  limit: number,
  { remaining, resetSeconds }: Pick<Quota, "remaining" | "resetSeconds">,
): void {
  reply.header("ratelimit-limit", String(limit));
  reply.header("ratelimit-remaining", String(remaining));
  reply.header("ratelimit-reset", String(resetSeconds));
}

/** The key of an address: an IPv4 address, or the /64 of an IPv6 customer. */
export function addressKey(ip: string): string {
  return networkKey(ip, IPV6_CUSTOMER_BYTES);
}

/** The key of an address: an IPv4 address, or the /48 of an IPv6 site. */
function siteKey(ip: string): string {
  return networkKey(ip, IPV6_SITE_BYTES);
}

function networkKey(ip: string, ipv6Bytes: number): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return Buffer.from(address.toByteArray().slice(0, ipv6Bytes)).toString("hex");
}
