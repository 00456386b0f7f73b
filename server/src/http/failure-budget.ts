import { createHash } from "node:crypto";
import type { Clock } from "../runtime/clock.ts";
import { createRateLimiter, refuseSpent } from "./rate-limit.ts";

/** Keys remembered at most: 32 bytes each and some book-keeping, about 2 MB. */
const MAX_PROVEN_KEYS = 10_000;

/** How often an address may fail to authenticate before its unproven keys are refused without looking them up. */
export type FailureBudget = {
  /** @throws RATE_LIMITED when the address has failed too often, unless this very key was let in before. */
  refuseWhenSpent(address: string, apiKey: string): void;
  recordFailure(address: string, apiKey: string): void;
  recordSuccess(apiKey: string): void;
};

/**
 * Guessing costs at most `perMinute` look-ups an address. Keys that were let in are remembered (by hash), so that
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
  const proven = new Set<string>();
  return {
    refuseWhenSpent(address, apiKey) {
      const quota = limiter.look(address);
      if (quota.waitSeconds > 0 && !proven.has(fingerprint(apiKey))) refuseSpent(limiter, quota);
    },
    recordFailure(address, apiKey) {
      proven.delete(fingerprint(apiKey));
      limiter.take(address);
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
