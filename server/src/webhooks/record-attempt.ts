import type { Context } from "../context.ts";
import type { Queryable } from "../db/sql.ts";
import {
  judgeAttempt,
  type Verdict,
  type WebhookDeliveryStatus,
  type WebhookError,
} from "../domain/webhook-delivery.ts";
import { type Attempt, type Claim, saveAttempt } from "./delivery-store.ts";
import { lockIsDeleted } from "./endpoint-store.ts";

/** The schedule of a test: one attempt, whose result its caller is waiting for. */
const ONCE: readonly number[] = [0];
const ABANDONED: Verdict = { status: "EXHAUSTED", delayMs: null };

/**
 * Records how an attempt ended, together with where its delivery stands now; the status, or undefined when the lease
 * was lost and nothing may be written. A delivery that failed while its endpoint was being deleted ends here: the
 * lock makes deleting wait for this row, or this row see the deletion.
 */
export async function recordAttempt(
  context: Pick<Context, "config" | "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  const verdict = judgeAttempt({
    attempt: claim.attempt,
    error: attempt.error,
    scheduleMs: claim.eventType === "webhook.test" ? ONCE : context.config.WEBHOOK_RETRY_SCHEDULE,
    random: Math.random(),
  });
  const save = async (db: Queryable, final: Verdict, lastError: WebhookError | null) => {
    const isSaved = await saveAttempt(db, claim, { attempt, verdict: final, lastError });
    return isSaved ? final.status : undefined;
  };
  const isFinal = verdict.delayMs === null;
  if (isFinal) return await save(context.db, verdict, attempt.error);
  return await context.db.transaction(async (tx) => {
    const isDeleted = await lockIsDeleted(tx, claim.endpointId);
    return isDeleted ? await save(tx, ABANDONED, "endpoint_deleted") : await save(tx, verdict, attempt.error);
  });
}
