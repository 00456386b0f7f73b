import type { Context } from "../../context.ts";
import { listLapsedClaims } from "./delivery-store.ts";
import { recordAttempt } from "./record-attempt.ts";

const BATCH = 100;

/**
 * Puts deliveries back in line whose worker died between claim and result, and answers whether there may be more.
 * The attempt is logged as `lease_expired`, because it was counted and may have reached the receiver. Safe to run in
 * every process at once: only the first to record under a lease number succeeds.
 */
export async function recoverLapsedDeliveries(
  context: Pick<Context, "config" | "db" | "log" | "metrics">,
): Promise<boolean> {
  const lapsed = await listLapsedClaims(context.db, BATCH);
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
      { delivery_id: claim.deliveryId, attempt: claim.attempt, status },
      "webhook lease lapsed",
    );
  }
  return lapsed.length === BATCH;
}
