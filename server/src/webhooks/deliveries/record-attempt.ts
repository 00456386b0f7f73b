import { attemptVerdict, type WebhookDeliveryStatus } from "../../domain/webhook-delivery.ts";
import { inMerchantLists } from "../../runtime/fair-rounds.ts";
import type { WebhooksContext } from "./context.ts";
import type { Claim } from "./delivery-store.ts";
import { type Attempt, type AttemptResult, type Recorded, saveAttempts } from "./result-store.ts";

/** The schedule of tests and of resent deliveries: one try. */
const SINGLE_TRY: readonly number[] = [0];

export type MadeAttempt = { readonly claim: Claim; readonly attempt: Attempt };

/**
 * Records attempts and the new states of their deliveries; returns those whose lease was not lost. A resent
 * delivery with a lost result is due again, since it may not have been sent.
 */
export async function recordAttempts(
  context: Pick<WebhooksContext, "config" | "db">,
  made: readonly MadeAttempt[],
): Promise<Recorded[]> {
  const results = made.map(({ claim, attempt }) => ({
    ...resultOf(context.config.webhooks.retryScheduleMs, claim, attempt),
    merchantId: claim.merchantId,
  }));
  const recorded: Recorded[] = [];
  for (const list of inMerchantLists(results)) recorded.push(...(await saveAttempts(context.db, list)));
  return recorded;
}

/** Records one attempt; returns the new status, or undefined if the lease was lost. */
export async function recordAttempt(
  context: Pick<WebhooksContext, "config" | "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<WebhookDeliveryStatus | undefined> {
  const [recorded] = await recordAttempts(context, [{ claim, attempt }]);
  return recorded?.status;
}

/** Records the only attempt of a delivery. */
export async function recordOnlyAttempt(
  { db }: Pick<WebhooksContext, "db">,
  claim: Claim,
  attempt: Attempt,
): Promise<void> {
  await saveAttempts(db, [resultAfter(SINGLE_TRY, claim, attempt)]);
}

function resultOf(scheduleMs: readonly number[], claim: Claim, attempt: Attempt): AttemptResult {
  if (claim.eventType === "webhook.test") return resultAfter(SINGLE_TRY, claim, attempt);
  if (!claim.wasResent) return resultAfter(scheduleMs, claim, attempt);
  if (attempt.error === "lease_expired") return { claim, attempt, verdict: { event: "lapsed", delayMs: 0 } };
  return resultAfter(SINGLE_TRY, claim, attempt);
}

function resultAfter(scheduleMs: readonly number[], claim: Claim, attempt: Attempt): AttemptResult {
  const { error } = attempt;
  const verdict = attemptVerdict({ attempt: claim.attempt, error, scheduleMs, random: Math.random() });
  return { claim, attempt, verdict };
}
