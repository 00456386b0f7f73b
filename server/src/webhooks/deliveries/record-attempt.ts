import type { Queryable } from "@daric/postgres/sql";
import {
  attemptVerdict,
  deliveryMachine,
  type WebhookDeliveryStatus,
} from "../../domain/webhook-delivery.ts";
import type { WebhooksContext } from "./context.ts";
import { type Attempt, type AttemptResult, type Claim, saveAttempt } from "./delivery-store.ts";

/** The schedule of what is tried once: a test, whose caller waits for the result, and what was resent. */
const ONCE: readonly number[] = [0];

/**
 * Records how an attempt ended, together with where its delivery stands now; the status, or undefined when the lease
 * was lost and nothing may be written. One that failed while its endpoint was deleted waits like any other, and ends
 * with them. A resent one whose result is lost is due again, as often as it takes: nobody knows whether it was sent.
 */
export async function recordAttempt(
  context: Pick<WebhooksContext, "config" | "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  if (claim.eventType === "webhook.test") return recordOnlyAttempt(context, claim, attempt);
  if (claim.wasResent)
    return attempt.error === "lease_expired"
      ? save(context.db, claim, { attempt, verdict: { event: "lapsed", delayMs: 0 } })
      : recordOnlyAttempt(context, claim, attempt);
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
  const verdict = attemptVerdict({
    attempt: claim.attempt,
    error: attempt.error,
    scheduleMs,
    random: Math.random(),
  });
  return save(db, claim, { attempt, verdict });
}

async function save(
  db: Queryable,
  claim: Claim,
  result: AttemptResult,
): Promise<WebhookDeliveryStatus | undefined> {
  const isSaved = await saveAttempt(db, claim, result);
  return isSaved ? deliveryMachine.edge(result.verdict.event).to : undefined;
}
