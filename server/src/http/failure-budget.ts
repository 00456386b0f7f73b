import { createHash } from "node:crypto";
import type { Clock } from "../runtime/clock.ts";
import { createRateLimiter, refuseSpent } from "./rate-limit.ts";

/** Keys remembered at most: 32 bytes each and some book-keeping, about 2 MB. */
const MAX_PROVEN_KEYS = 10_000;

/** Beyond the budget of an address so many unproven keys a second are looked up, so that a right one gets in. */
const PER_SECOND_BEYOND = 1;

/** How often an address may fail to authenticate before most of its unproven keys are refused without looking them up. */
export type FailureBudget = {
  /** @throws RATE_LIMITED when the address has failed too often, unless this very key was let in before or it is the first of its second. */
  refuseWhenSpent(address: string, apiKey: string): void;
  recordFailure(address: string, apiKey: string): void;
  recordSuccess(apiKey: string): void;
};

/**
 * Guessing costs at most `perMinute` look-ups an address, and one a second beyond them. Keys that were let in are remembered (by hash), so that
 * neither a neighbour behind the same address nor one forgotten wrong key shuts out a client that has a right one.
 */
export function createFailureBudget(options: { perMinute: number; clock: Clock }): FailureBudget {
  const { perMinute, clock } = options;
  const limiter = createRateLimiter({
    perSecond: perMinute / 60,
    burst: perMinute,
    clock,
    counted: "keys from your address that were refused",
  });
  const beyond = createRateLimiter({ perSecond: PER_SECOND_BEYOND, burst: 1, clock });
  const proven = new Set<string>();
  return {
    refuseWhenSpent(address, apiKey) {
      const quota = limiter.inspect(address);
      if (quota.waitSeconds === 0 || proven.has(fingerprint(apiKey))) return;
      if (beyond.take(address).waitSeconds > 0) refuseSpent(limiter, quota);
    },
    recordFailure(address, apiKey) {
      proven.delete(fingerprint(apiKey));
      limiter.take(address);
      beyond.take(address);
    },
    recordSuccess(apiKey) {
      const key = fingerprint(apiKey);
      proven.delete(key);
      proven.add(key);
      const [oldest] = proven.size > MAX_PROVEN_KEYS ? proven : [];
      if (oldest !== undefined) proven.delete(oldest);
    },
  };
}

function fingerprint(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("base64");
}
