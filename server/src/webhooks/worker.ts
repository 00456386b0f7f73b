import type { Context } from "../context.ts";
import { startWorkerLoop } from "../runtime/worker-loop.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, releaseClaim } from "./delivery-store.ts";
import { endLongParkedDeliveries } from "./end-long-parked-deliveries.ts";
import { type Network, systemNetwork } from "./guarded-dial.ts";
import { createPost, type Post } from "./post-json.ts";
import { recoverLapsedDeliveries } from "./recover-lapsed-deliveries.ts";

export type WebhookWorker = {
  /** Looks for due deliveries now. A hint only: they are found without it. */
  hurry(): void;
  /** Starts nothing more and resolves when the attempts under way, each bounded by its deadline, are recorded. */
  stop(): Promise<void>;
};

const POLL_MS = 100;
const RECOVERY_POLL_MS = 5_000;

/**
 * Delivers what is due until it is stopped: at most WEBHOOK_CONCURRENCY attempts at once. A claim is only made for a
 * free slot, so that whatever is claimed is under way, and what a crash can repeat is bounded by the slots.
 */
export function startWebhookWorker(context: Context, network: Network = systemNetwork): WebhookWorker {
  const { WEBHOOK_ALLOW_TARGETS: allowed } = context.config;
  if (allowed.length > 0) context.log.warn({ allowed }, "webhooks may be sent to private targets");
  const slots = createSlots(context, createPost(context, network));
  let isStopping = false;
  let wasHurried = false;
  const delivering = startWorkerLoop({
    name: "webhooks",
    pollMs: POLL_MS,
    log: context.log,
    processNext: async () => {
      wasHurried = false;
      const free = await slots.free();
      if (isStopping) return false;
      const claims = await claimDeliveries(context, free);
      if (isStopping) await Promise.all(claims.map((claim) => releaseClaim(context.db, claim, 0)));
      else for (const claim of claims) slots.fill(claim, hurry);
      return claims.length > 0 || wasHurried;
    },
  });
  const recovering = startWorkerLoop({
    name: "webhook-recovery",
    pollMs: RECOVERY_POLL_MS,
    log: context.log,
    processNext: async () => {
      const results = [await recoverLapsedDeliveries(context), await endLongParkedDeliveries(context)];
      return results.includes(true);
    },
  });
  function hurry(): void {
    wasHurried = true;
    delivering.hurry();
  }
  return {
    hurry,
    stop: async () => {
      isStopping = true;
      await Promise.all([delivering.stop(), recovering.stop()]);
      await slots.drain();
    },
  };
}

/** The attempts under way. A slot is free again however its attempt ends. */
function createSlots(context: Context, post: Post) {
  const underWay = new Set<Promise<void>>();
  return {
    /** How many are free; waits while none is. */
    free: async () => {
      while (underWay.size >= context.config.WEBHOOK_CONCURRENCY) await Promise.race(underWay);
      return context.config.WEBHOOK_CONCURRENCY - underWay.size;
    },
    fill: (claim: ClaimedDelivery, onFree: () => void) => {
      const attempt = deliverWebhook(context, claim, post)
        .then(() => {})
        .catch((error: unknown) => {
          context.log.error({ delivery_id: claim.deliveryId, err: error }, "webhook result was not recorded");
        })
        .finally(() => {
          underWay.delete(attempt);
          onFree();
        });
      underWay.add(attempt);
    },
    drain: async () => {
      await Promise.all(underWay);
    },
  };
}
