import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import {
  findReceiverState,
  type ReceiverState,
  readAttemptCounts,
} from "../deliveries/attempt-count-store.ts";

/** The state of a receiver, with its attempts of the last 24 hours; tests do not count. */
export type EndpointHealth = ReceiverState & {
  readonly attempts: number;
  /** between 0 and 1; undefined without an attempt */
  readonly successRate: number | undefined;
  /** 95 % of the attempts took at most so many milliseconds, up to 19 % less; undefined without an attempt */
  readonly p95Ms: number | undefined;
};

const RARE = 0.95;
const DECIMALS = 10_000;

export async function findHealth(
  db: Queryable,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<EndpointHealth> {
  const [state, counts] = await Promise.all([
    findReceiverState(db, endpoint),
    readAttemptCounts(db, endpoint),
  ]);
  const attempts = counts.reduce((sum, count) => sum + count.attempts, 0);
  if (attempts === 0) return { ...state, attempts, successRate: undefined, p95Ms: undefined };
  const accepted = counts.reduce((sum, count) => sum + count.accepted, 0);
  let below = 0;
  const slow = counts.find((count) => {
    below += count.attempts;
    return below >= RARE * attempts;
  });
  return {
    ...state,
    attempts,
    successRate: Math.floor((accepted / attempts) * DECIMALS) / DECIMALS,
    p95Ms: slow && Math.ceil(slow.longestMs),
  };
}
