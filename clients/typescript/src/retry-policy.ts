import type { DaricError } from "./daric-error.ts";
import type { AnyOperation } from "./operation.ts";

/**
 * Writes that may be repeated after an unknown result, because a second one changes nothing. A repetition of
 * any other would make another order, endpoint or test event, or fail although the first succeeded.
 */
export const REPEATABLE: readonly AnyOperation[] = [
  "POST /v1/deposit-addresses/{id}/archive",
  // A second one finds the open rest.
  "POST /v1/deposit-addresses/{id}/rest",
  "POST /v1/refunds/{id}/cancel",
  // The same address again answers the same.
  "POST /v1/refund-claims/{token}",
  "PATCH /v1/webhooks/endpoints/{id}",
  "POST /v1/webhooks/endpoints/{id}/recover",
  "POST /v1/checkout/{token}/requote",
  // The look-up only reads.
  "POST /v1/checkout/{token}/lookup",
];

/** Refusals without any effect, after which the same call may succeed later. */
const LATER: readonly string[] = ["RATE_LIMITED", "RATE_UNAVAILABLE"];

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** For a longer Retry-After the call fails at once, so that the caller decides. */
const MAX_RETRY_AFTER_S = 60;

/** Whether a repetition does no harm, whatever happened to the first call. */
export function isRepeatable(operation: AnyOperation, body: unknown): boolean {
  if (operation.startsWith("GET ") || REPEATABLE.includes(operation)) return true;
  // A receive address, and a refund with a reference, are found or created, so a repetition is safe.
  const { reusable, refundRef } = (body ?? {}) as { reusable?: unknown; refundRef?: unknown };
  return (
    (operation === "POST /v1/deposit-addresses" && reusable === true) ||
    (operation === "POST /v1/deposit-addresses/{id}/refunds" && typeof refundRef === "string")
  );
}

/**
 * The wait before the next try, or undefined for no retry. There is none after a lasting failure, after a
 * possible success that must not repeat, or beyond a Retry-After of 60 s.
 *
 * Full jitter: random between zero and a bound that doubles with each try, added to Retry-After.
 */
export function retryWaitMs(
  failure: DaricError,
  { tries, isRepeatable: mayRepeat, random }: { tries: number; isRepeatable: boolean; random: number },
): number | undefined {
  if (!isPassing(failure) || (failure.isOutcomeUnknown && !mayRepeat)) return undefined;
  const { retryAfter = 0 } = failure;
  if (retryAfter > MAX_RETRY_AFTER_S) return undefined;
  const bound = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
  return retryAfter * 1_000 + random * bound;
}

/** Whether a later call may succeed without a change. */
export function isPassing({ code, status, retryAfter }: DaricError): boolean {
  // A proxy that limits calls has no code.
  if (status === 429 && retryAfter !== undefined) return true;
  return LATER.includes(code) || code === "TIMEOUT" || code === "CONNECTION" || (status ?? 0) >= 500;
}
