import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "@daric/postgres/errors";
import { disableHopeless } from "../queue/health-store.ts";
import type { WebhooksContext } from "./context.ts";
import { type MadeAttempt, recordAttempts } from "./record-attempt.ts";
import type { Recorded } from "./result-store.ts";

/** A result that waits to be recorded, until its lease ends by this process's monotonic clock. */
export type Result = MadeAttempt & { readonly leaseUntilMs: number };

/** Results wait so long for others, or until so many wait: one statement for all of them. */
const FLUSH_MS = 25;
const FLUSH_ROWS = 200;
/** Statements at once. While they run, results wait and form larger ones. */
const AT_ONCE = 2;
const RETRY_MS = 200;
const MAX_RETRY_MS = 3_000;

export type ResultRecorder = {
  add(result: Result): void;
  /** Resolves when every result is recorded or given up. */
  drain(): Promise<void>;
};

/**
 * Records results in batches. While the database is away they wait until their leases end; then the deliveries are
 * repeated. `onDone` is called with each batch and what was recorded of it.
 */
export function createResultRecorder(
  context: WebhooksContext,
  onDone: (results: readonly Result[], recorded: readonly Recorded[]) => void,
): ResultRecorder {
  const waiting: Result[] = [];
  const batches = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && batches.size < AT_ONCE) {
      const results = waiting.splice(0, FLUSH_ROWS);
      const batch = save(context, results)
        .then(async (recorded) => {
          await disableUnreached(context, recorded);
          onDone(results, recorded);
        })
        .finally(() => {
          batches.delete(batch);
          if (waiting.length > 0) start();
        });
      batches.add(batch);
    }
  }

  return {
    add: (result) => {
      waiting.push(result);
      if (waiting.length >= FLUSH_ROWS) start();
      else timer ??= setTimeout(start, FLUSH_MS);
    },
    drain: async () => {
      start();
      while (batches.size > 0) await Promise.all(batches);
    },
  };
}

/** Records results; returns what was recorded. Never rejects. */
async function save(context: WebhooksContext, results: readonly Result[]): Promise<readonly Recorded[]> {
  let left = results;
  for (let tryNumber = 0; left.length > 0; tryNumber++) {
    try {
      return await recordAttempts(context, left);
    } catch (error) {
      if (!context.databaseOutage.report(error) && !isDatabaseUnavailable(error))
        return saveOneByOne(context, left, error);
    }
    await sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** tryNumber));
    left = left.filter(({ leaseUntilMs }) => context.clock.monotonicMs() < leaseUntilMs);
  }
  return [];
}

/** The database refused the batch: a result that it refuses alone must not cost the others. */
async function saveOneByOne(
  context: WebhooksContext,
  results: readonly Result[],
  error: unknown,
): Promise<readonly Recorded[]> {
  const [only, ...others] = results;
  if (only === undefined) return [];
  if (others.length === 0) {
    context.log.error(
      { event: "webhook_not_recorded", delivery_id: only.claim.deliveryId, err: error },
      "the result of a webhook was not recorded; it is sent again when its lease ends",
    );
    return [];
  }
  const recorded: Recorded[] = [];
  for (const result of results) recorded.push(...(await save(context, [result])));
  return recorded;
}

/** Disables the endpoints that nothing reached for days. */
async function disableUnreached(context: WebhooksContext, recorded: readonly Recorded[]): Promise<void> {
  for (const { merchantId, endpointId } of recorded.filter(({ isHopeless }) => isHopeless)) {
    try {
      if (!(await disableHopeless(context.db, { merchantId, endpointId }))) continue;
      context.log.warn(
        { event: "webhook_endpoint_disabled", merchant_id: merchantId, endpoint_id: endpointId },
        "an endpoint was disabled: nothing reached it for five days; its merchant can enable it again",
      );
    } catch (error) {
      // The next failed attempt tries again.
      if (!context.databaseOutage.report(error))
        context.log.error(
          { event: "webhook_not_recorded", endpoint_id: endpointId, err: error },
          "an endpoint that nothing reaches could not be disabled",
        );
    }
  }
}
