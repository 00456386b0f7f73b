import { deliveryMachine, judgeAttempt, type WebhookDeliveryStatus } from "../../domain/webhook-delivery.ts";
import type { WebhooksContext } from "./context.ts";
import { type Attempt, type Claim, saveAttempt } from "./delivery-store.ts";

/** The schedule of what is tried once: a test, whose caller waits for the result, and what was resent. */
const ONCE: readonly number[] = [0];

/**
 * Records how an attempt ended, together with where its delivery stands now; the status, or undefined when the lease
 * was lost and nothing may be written. One that failed while its endpoint was deleted waits like any other, and ends
 * with them.
 */
export async function recordAttempt(
  context: Pick<WebhooksContext, "config" | "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  if (claim.eventType === "webhook.test" || claim.wasResent)
    return recordOnlyAttempt(context, claim, attempt);
  return record({ db: context.db, scheduleMs: context.config.webhooks.retryScheduleMs }, claim, attempt);
}

/** The same of what no schedule tries again. */
export function recordOnlyAttempt(
  { db }: Pick<WebhooksContext, "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  return record({ db, scheduleMs: ONCE }, claim, attempt);
}

async function record(
  { db, scheduleMs }: Pick<WebhooksContext, "db"> & { scheduleMs: readonly number[] },
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  const verdict = judgeAttempt({
    attempt: claim.attempt,
    error: attempt.error,
    scheduleMs,
    random: Math.random(),
  });
  const isSaved = await saveAttempt(db, claim, { attempt, verdict });
  return isSaved ? deliveryMachine.edge(verdict.event).to : undefined;
}
