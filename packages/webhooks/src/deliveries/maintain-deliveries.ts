import type { MerchantId } from "@daric/domain/ids";
import { inLists } from "@daric/runtime/fair-rounds";
import { rescheduleChanged, rescheduleLater } from "../queue/queue-store.ts";
import type { WebhooksContext } from "./context.ts";
import { listLapsedClaims } from "./delivery-store.ts";
import { expireAbandoned, expireWaiting, resumeParked } from "./expiry-store.ts";
import { recordAttempts } from "./record-results.ts";

const LAPSED_BATCH = 200;
const BATCH = 500;
/** Interval between resumed deliveries, to spare a receiver that has just come back. */
const EVERY_MS = 50;
/** How far ahead deliveries are scheduled, so that disabling the endpoint again leaves few behind. */
const AHEAD_MS = 5_000;

/**
 * Does one step of maintenance for these merchants; returns whether there may be more. Idle endpoints leave the
 * queue.
 */
export async function maintainDeliveries(
  context: Pick<WebhooksContext, "config" | "db" | "log" | "metrics">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  let isMoreWaiting = false;
  for (const list of inLists(merchantIds)) {
    await rescheduleChanged(context.db, list);
    const lapsed = await recoverLapsedDeliveries(context, list);
    const abandoned = await expireAbandonedDeliveries(context, list);
    const isExpiring = (await expireWaiting(context.db, { merchantIds: list, limit: BATCH })) === BATCH;
    const parked = await resumeParkedDeliveries(context, list);
    await rescheduleLater(context.db, list, context.config.webhooks);
    isMoreWaiting ||= lapsed || abandoned || isExpiring || parked;
  }
  return isMoreWaiting;
}

/**
 * Requeues deliveries whose worker died; returns whether there may be more. The attempt is logged as
 * `lease_expired`, since it may have reached the receiver. Safe in every process at once: the first to record under
 * a lease number wins.
 */
export async function recoverLapsedDeliveries(
  context: Pick<WebhooksContext, "config" | "db" | "log" | "metrics">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const lapsed = await listLapsedClaims(context.db, merchantIds, LAPSED_BATCH);
  if (lapsed.length === 0) return false;
  const recorded = await recordAttempts(
    context,
    lapsed.map((claim) => ({
      claim,
      attempt: {
        statusCode: null,
        snippet: null,
        error: "lease_expired",
        durationMs: claim.heldMs,
        attemptedAt: claim.claimedAt,
      },
    })),
  );
  const attempts = new Map(lapsed.map(({ deliveryId, attempt }) => [deliveryId, attempt]));
  for (const { deliveryId, status } of recorded) {
    context.metrics.webhookAttempts.inc({ result: "lease_expired" });
    context.log.warn(
      {
        event: "webhook_attempt_unknown",
        delivery_id: deliveryId,
        attempt: attempts.get(deliveryId),
        status,
      },
      "the result of a webhook attempt is unknown, for example after a crash; the attempt is repeated",
    );
  }
  return lapsed.length === LAPSED_BATCH;
}

/**
 * Ends some deliveries of deleted endpoints, and of endpoints disabled for longer than WEBHOOK_PARKED_FOR; returns
 * whether there may be more. The endpoint's state selects them, so a crash forgets none. Safe in every process at
 * once.
 */
export async function expireAbandonedDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const parkedForMs = context.config.webhooks.parkedForMs;
  return (await expireAbandoned(context.db, { merchantIds, parkedForMs, limit: BATCH })) === BATCH;
}

/**
 * Schedules some parked deliveries of endpoints that were enabled again; returns whether there may be more now.
 * Deliveries older than WEBHOOK_PARKED_FOR end as `parked_too_long`. One statement each, so a crash loses and
 * repeats nothing.
 */
export async function resumeParkedDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  merchantIds: readonly MerchantId[],
): Promise<boolean> {
  const parkedForMs = context.config.webhooks.parkedForMs;
  const options = { merchantIds, parkedForMs, everyMs: EVERY_MS, aheadMs: AHEAD_MS, limit: BATCH };
  return (await resumeParked(context.db, options)) > 0;
}
