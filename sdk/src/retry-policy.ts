import type { DaricError } from "./daric-error.ts";
import type { Operation } from "./operation.ts";

/**
 * What is no read and may be sent again although nobody knows whether the first was carried out, because the second
 * leaves things as the first did. Of the others a second would make another order, endpoint or test event, or answer
 * that there is nothing to do, which is not what became of the first.
 */
const REPEATABLE: readonly Operation[] = [
  "POST /v1/deposit-addresses/{id}/archive",
  "PATCH /v1/webhooks/endpoints/{id}",
  "POST /v1/checkout/{token}/requote",
  // It only asks.
  "POST /v1/checkout/{token}/lookup",
];

/** Refusals that say that nothing was done and that the same call may be taken later. */
const LATER: readonly string[] = ["RATE_LIMITED", "RATE_UNAVAILABLE"];

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A service that asks to be left alone for longer is not waited for: the caller is told. */
const LONGEST_RETRY_AFTER_S = 60;

/** Whether it is known that a second call does no harm, whatever became of the first. */
export function isRepeatable(operation: Operation, body: unknown): boolean {
  if (operation.startsWith("GET ") || REPEATABLE.includes(operation)) return true;
  // A receive address is found or created: twice is once.
  return operation === "POST /v1/deposit-addresses" && (body as { reusable?: unknown }).reusable === true;
}

/**
 * The wait before the next try, or undefined where there must be none: the failure is no passing one, the call may have
 * been carried out and must not be twice, or the service asks for more patience than 60 s.
 *
 * Full jitter: somewhere between nothing and a bound that doubles with each try, on top of what Retry-After asks for.
 */
export function retryWaitMs(
  failure: DaricError,
  { tries, isRepeatable: mayRepeat, random }: { tries: number; isRepeatable: boolean; random: number },
): number | undefined {
  if (!isPassing(failure) || (failure.isOutcomeUnknown && !mayRepeat)) return undefined;
  const { retryAfter = 0 } = failure;
  if (retryAfter > LONGEST_RETRY_AFTER_S) return undefined;
  const bound = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return retryAfter * 1_000 + random * bound;
}

function isPassing({ code, status }: DaricError): boolean {
  return LATER.includes(code) || code === "TIMEOUT" || code === "CONNECTION" || (status ?? 0) >= 500;
}
