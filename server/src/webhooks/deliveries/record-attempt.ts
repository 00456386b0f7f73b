import type { Queryable } from "@daric/postgres/sql";
import {
  attemptVerdict,
  deliveryMachine,
  type WebhookDeliveryStatus,
} from "../../domain/webhook-delivery.ts";
import type { WebhooksContext } from "./context.ts";
import { type Attempt, type AttemptResult, type Claim, saveAttempt } from "./delivery-store.ts";

/** The schedule of tests and of resent deliveries: one try. */
const SINGLE_TRY: readonly number[] = [0];

/**
 * Records an attempt and the delivery's new state; returns the status, or undefined if the lease was lost. A resent
 * delivery with a lost result is due again, since it may not have been sent.
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

/** Records the only attempt of a delivery. */
export function recordOnlyAttempt(
  { db }: Pick<WebhooksContext, "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  return record({ db, scheduleMs: SINGLE_TRY }, claim, attempt);
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
