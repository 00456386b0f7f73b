import { setTimeout as sleep } from "node:timers/promises";
import type { MerchantId } from "@daric/domain/ids";
import { attemptVerdict, type WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import { isDatabaseUnavailable } from "@daric/postgres/errors";
import { isServerAnswering, isSharded } from "@daric/postgres/tenants";
import { byMerchantLists, inMerchantLists } from "@daric/runtime/fair-rounds";
import type { WebhooksContext } from "./context.ts";
import type { DeliveryClaim } from "./delivery-store.ts";
import { createFailingEndpoints } from "./failing-endpoints.ts";
import { createRecordingPace } from "./recording-pace.ts";
import type { Attempt, AttemptResult, FailingEndpoint, Recorded } from "./result-rows-store.ts";
import { saveAttempts, saveEachAttempt } from "./result-store.ts";

/** A result that waits to be recorded, until its lease ends by this process's monotonic clock. */
export type HeldResult = MadeAttempt & { readonly merchantId: MerchantId; readonly leaseUntilMs: number };

/** Results wait for others until so many wait: a quarter of the claims at most, so that the process has work meanwhile. */
const FLUSH_ROWS = { perSlot: 4, max: 512 };
/** Lists at once. */
const AT_ONCE = 2;
const [RETRY_MS, MAX_RETRY_MS] = [200, 3_000];
/** A server of a distributed database that hangs is named by then, and its lists count no more. */
const NAMED_MS = 4_000;

export type ResultRecorder = {
  add(result: HeldResult): void;
  /** Resolves when every result is recorded or given up. */
  drain(): Promise<void>;
};

/**
 * Records results in batches, at the pace at which they come. While the database is away they wait until their leases end; then the deliveries are
 * repeated. `onDone` is called with each list and the endpoints that must wait or are hopeless after it. A
 * list that was recorded without an answer names none: a few more of their claims are attempted.
 */
export function createResultRecorder(
  context: WebhooksContext,
  onDone: (results: readonly HeldResult[], failing: readonly FailingEndpoint[]) => void,
): ResultRecorder {
  const flushRows = Math.min(FLUSH_ROWS.max, FLUSH_ROWS.perSlot * context.config.webhooks.concurrency);
  const waiting: HeldResult[] = [];
  const lists = new Map<Promise<void>, MerchantId>();
  const pace = createRecordingPace();
  const tend = createFailingEndpoints(context);
  let waitMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && countServed() < AT_ONCE)
      for (const list of inMerchantLists(waiting.splice(0, flushRows))) startList(list);
  }

  /** Each list apart: a repetition would not return the endpoints of a list that is recorded. */
  function startList(results: readonly HeldResult[]): void {
    const [first] = results;
    if (first === undefined) return;
    const named = isSharded() ? setTimeout(start, NAMED_MS) : undefined;
    const list = save(context, results)
      .then(async (failing) => {
        await tend(failing);
        onDone(results, failing);
      })
      .finally(() => {
        clearTimeout(named);
        lists.delete(list);
        startInTime();
      });
    lists.set(list, first.merchantId);
  }

  /** Lists of a server that does not answer hold up no others. */
  function countServed(): number {
    return [...lists.values()].filter(isServerAnswering).length;
  }

  function startInTime(): void {
    if (waiting.length >= flushRows) start();
    else if (waiting.length > 0) timer ??= setTimeout(start, waitMs);
  }

  return {
    add: (result) => {
      waiting.push(result);
      waitMs = pace.waitMs(context.clock.monotonicMs());
      startInTime();
    },
    drain: async () => {
      for (start(); lists.size > 0; start()) await Promise.all(lists.keys());
    },
  };
}

/** Records results of a list; returns the endpoints that must wait or are hopeless then. Never rejects. */
async function save(
  context: WebhooksContext,
  results: readonly HeldResult[],
): Promise<readonly FailingEndpoint[]> {
  let left = results;
  for (let tryNumber = 0; left.length > 0; tryNumber++) {
    try {
      return await saveAttempts(context.db, resultsOf(context, left));
    } catch (error) {
      if (!context.databaseOutage.report(error) && !isDatabaseUnavailable(error))
        return saveInHalves(context, left, error);
    }
    await sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** tryNumber));
    left = left.filter(({ leaseUntilMs }) => context.clock.monotonicMs() < leaseUntilMs);
  }
  return [];
}

/** The database refused the batch: a result that it refuses alone must not cost the others. */
async function saveInHalves(
  context: WebhooksContext,
  results: readonly HeldResult[],
  error: unknown,
): Promise<readonly FailingEndpoint[]> {
  const [only, ...others] = results;
  if (only === undefined) return [];
  if (others.length === 0) {
    context.log.error(
      { event: "webhook_not_recorded", delivery_id: only.claim.deliveryId, err: error },
      "the result of a webhook was not recorded; it is sent again when its lease ends",
    );
    return [];
  }
  const middle = Math.ceil(results.length / 2);
  const failing = await save(context, results.slice(0, middle));
  return [...failing, ...(await save(context, results.slice(middle)))];
}

/** The schedule of tests and of resent deliveries: one try. */
const SINGLE_TRY: readonly number[] = [0];

export type MadeAttempt = { readonly claim: DeliveryClaim; readonly attempt: Attempt };

/**
 * Records attempts and the new states of their deliveries; returns those whose lease was not lost. A resent
 * delivery with a lost result is due again, since it may not have been sent.
 */
export function recordAttempts(context: RecordingContext, made: readonly MadeAttempt[]): Promise<Recorded[]> {
  const withMerchants = made.map(({ claim, attempt }) => ({ merchantId: claim.merchantId, claim, attempt }));
  return byMerchantLists(withMerchants, (list) => saveEachAttempt(context.db, resultsOf(context, list)));
}

type RecordingContext = Pick<WebhooksContext, "config" | "db">;

function resultsOf({ config }: RecordingContext, made: readonly MadeAttempt[]): AttemptResult[] {
  return made.map(({ claim, attempt }) => resultOf(config.webhooks.retryScheduleMs, claim, attempt));
}

/** Records one attempt; returns the new status, or undefined if the lease was lost. */
export async function recordAttempt(
  context: RecordingContext,
  claim: DeliveryClaim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  const [recorded] = await recordAttempts(context, [{ claim, attempt }]);
  return recorded?.status;
}

/** Records the only attempt of a delivery. */
export async function recordOnlyAttempt(
  { db }: Pick<WebhooksContext, "db">,
  claim: DeliveryClaim,
  attempt: Attempt,
): Promise<void> {
  await saveAttempts(db, [resultAfter(SINGLE_TRY, claim, attempt)]);
}

function resultOf(scheduleMs: readonly number[], claim: DeliveryClaim, attempt: Attempt): AttemptResult {
  if (claim.eventType === "webhook.test") return resultAfter(SINGLE_TRY, claim, attempt);
  if (!claim.wasResent) return resultAfter(scheduleMs, claim, attempt);
  if (attempt.error === "lease_expired") return { claim, attempt, verdict: { event: "lapsed", delayMs: 0 } };
  return resultAfter(SINGLE_TRY, claim, attempt);
}

function resultAfter(scheduleMs: readonly number[], claim: DeliveryClaim, attempt: Attempt): AttemptResult {
  const verdict = attemptVerdict({
    attempt: claim.scheduleStep,
    error: attempt.error,
    scheduleMs,
    random: Math.random(),
    pauseMs: attempt.pauseMs,
    mayPause: claim.mayPause,
  });
  return { claim, attempt, verdict };
}
