import type { MerchantId } from "../../domain/ids.ts";
import { rescheduleChanged, rescheduleLater } from "../queue/queue-store.ts";
import type { WebhooksContext } from "./context.ts";
import { listLapsedClaims } from "./delivery-store.ts";
import { recordAttempt } from "./record-attempt.ts";
import { expireAbandoned, resumeParked } from "./waiting-store.ts";

/** Each lapsed claim is recorded by statements of its own. */
const LAPSED_BATCH = 100;
const BATCH = 500;
/** The rate at which what was parked goes out: a receiver is coming back. */
const EVERY_MS = 50;
/** How far ahead of now the line of an endpoint is kept, so that disabling it again leaves little behind. */
const AHEAD_MS = 5_000;

/**
 * Does some of what deliveries of these merchants need that are not being sent, and answers whether there may be more.
 * Endpoints about which nothing is due any more leave the queue until something is.
 */
export async function maintainDeliveries(
  context: Pick<WebhooksContext, "config" | "db" | "log" | "metrics">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  await rescheduleChanged(context.db, merchantIds);
  const lapsed = await recoverLapsedDeliveries(context, merchantIds);
  const abandoned = await expireAbandonedDeliveries(context, merchantIds);
  const parked = await resumeParkedDeliveries(context, merchantIds);
  await rescheduleLater(context.db, merchantIds, context.config.webhooks);
  return lapsed || abandoned || parked;
}

/**
 * Puts deliveries back in line whose worker died between claim and result, and answers whether there may be more.
 * The attempt is logged as `lease_expired`, because it was counted and may have reached the receiver. Safe to run in
 * every process at once: only the first to record under a lease number succeeds.
 */
export async function recoverLapsedDeliveries(
  context: Pick<WebhooksContext, "config" | "db" | "log" | "metrics">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const lapsed = await listLapsedClaims(context.db, merchantIds, LAPSED_BATCH);
  for (const claim of lapsed) {
    const status = await recordAttempt(context, claim, {
      statusCode: null,
      snippet: null,
      error: "lease_expired",
      durationMs: claim.heldMs,
      attemptedAt: claim.claimedAt,
    });
    if (status === undefined) continue;
    context.metrics.webhookAttempts.inc({ result: "lease_expired" });
    context.log.warn(
      { event: "webhook_attempt_unknown", delivery_id: claim.deliveryId, attempt: claim.attempt, status },
      "the result of a webhook attempt is unknown, for example after a crash; the attempt is repeated",
    );
  }
  return lapsed.length === LAPSED_BATCH;
}

/**
 * Ends some of what nobody is left to deliver to, and answers whether there may be more: deliveries of deleted
 * endpoints, and those that have waited for a disabled one longer than WEBHOOK_PARKED_FOR. They are found by the
 * state of their endpoint, so that none is forgotten, whoever dies and whenever it was enqueued. Safe to run in every
 * process at once.
 */
export async function expireAbandonedDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const parkedForMs = context.config.webhooks.parkedForMs;
  return (await expireAbandoned(context.db, { merchantIds, parkedForMs, limit: BATCH })) === BATCH;
}

/**
 * Lines up some of what is parked for an endpoint that was enabled again, and answers whether there may be more to do
 * now. Deliveries older than WEBHOOK_PARKED_FOR end as `parked_too_long`. Each call is one statement and what is
 * parked is found by its time, so that dying in between loses and repeats nothing. Safe to run in every process at
 * once.
 */
export async function resumeParkedDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const parkedForMs = context.config.webhooks.parkedForMs;
  const options = { merchantIds, parkedForMs, everyMs: EVERY_MS, aheadMs: AHEAD_MS, limit: BATCH };
  return (await resumeParked(context.db, options)) > 0;
}
