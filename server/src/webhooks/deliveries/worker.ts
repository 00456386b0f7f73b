import { startWorkerLoop } from "../../runtime/worker-loop.ts";
import { type NetworkAccess, systemAccess } from "../sending/guarded-dial.ts";
import { createPost, type Post } from "../sending/post-json.ts";
import type { WebhooksContext } from "./context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, leaseMs, releaseClaim } from "./delivery-store.ts";
import { createSlots, freeSlots, type SlotUse } from "./slots.ts";
import { tendDeliveries } from "./tend-deliveries.ts";
import { claimDueDeliveries } from "./waiting-store.ts";

export type WebhookWorker = {
  /** Looks for due deliveries now. A hint only: they are found without it. */
  hurry(): void;
  /** Starts nothing more and resolves when the attempts under way, each bounded by its deadline, are recorded. */
  stop(): Promise<void>;
};

const POLL_MS = 100;
/** Bounds what a merchant waits for after enabling or deleting an endpoint. */
const TENDING_POLL_MS = 1_000;

/**
 * Delivers what is due until it is stopped: at most `concurrency` attempts at once, of one merchant at most
 * three quarters of that. A claim is only made for a free slot, so that whatever is claimed is under way, and what a
 * crash can repeat is bounded by the slots.
 */
export function startWebhookWorker(
  context: WebhooksContext,
  access: NetworkAccess = systemAccess,
): WebhookWorker {
  const { allowTargets: allowed } = context.config.webhooks;
  if (allowed.length > 0) context.log.warn({ allowed }, "webhooks may be sent to private targets");
  const post = createPost(context, access);
  const slots = createSlots(context.config.webhooks.concurrency, hurry);
  let isStopping = false;
  let wasHurried = false;
  const delivering = startWorkerLoop({
    name: "webhooks",
    pollMs: POLL_MS,
    log: context.log,
    processNext: async () => {
      wasHurried = false;
      const use = await slots.whenFree();
      if (isStopping) return false;
      const claims = await claimDeliveries(context, use);
      if (isStopping) await Promise.all(claims.map((claim) => releaseClaim(context.db, claim, 0)));
      else for (const claim of claims) slots.fill(claim.merchantId, () => attempt(context, claim, post));
      return claims.length > 0 || wasHurried;
    },
  });
  const tending = startWorkerLoop({
    name: "webhook-tending",
    pollMs: TENDING_POLL_MS,
    log: context.log,
    processNext: () => tendDeliveries(context),
  });
  function hurry(): void {
    wasHurried = true;
    delivering.hurry();
  }
  return {
    hurry,
    stop: async () => {
      isStopping = true;
      await Promise.all([delivering.stop(), tending.stop()]);
      await slots.drain();
    },
  };
}

/**
 * Leases due deliveries to this process, one for each slot that may be taken, fairly between merchants and then between
 * the endpoints of each. Committed before it returns: each claim is counted as an attempt and must be delivered or
 * released.
 */
export async function claimDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  use: SlotUse,
): Promise<ClaimedDelivery[]> {
  const { endpointConcurrency: perEndpoint, timeoutMs } = context.config.webhooks;
  const options = { perEndpoint, underWay: use.underWay, leaseMs: leaseMs(timeoutMs) };
  return claimDueDeliveries(context.db, { ...options, ...freeSlots(use) });
}

/** Makes the attempt of a claim; a result that cannot be recorded is only logged, for its lease will lapse. */
async function attempt(context: WebhooksContext, claim: ClaimedDelivery, post: Post): Promise<void> {
  try {
    await deliverWebhook(context, claim, post);
  } catch (error) {
    context.log.error({ delivery_id: claim.deliveryId, err: error }, "webhook result was not recorded");
  }
}
