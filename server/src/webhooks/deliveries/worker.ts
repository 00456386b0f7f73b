import type { MerchantId } from "../../domain/ids.ts";
import type { Role } from "../../runtime/setting.ts";
import type { WakeUps } from "../../runtime/wake-ups.ts";
import { startWorkerLoop, type WorkerLoop } from "../../runtime/worker-loop.ts";
import { findDueWork } from "../queue/queue-store.ts";
import { type NetworkAccess, systemAccess } from "../sending/guarded-dial.ts";
import { createPost, type Post } from "../sending/post-json.ts";
import { findBacklog } from "./backlog-store.ts";
import type { WebhooksContext } from "./context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, leaseMs, releaseClaim } from "./delivery-store.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { createSlots, freeSlots, type SlotUse } from "./slots.ts";
import { claimDueDeliveries } from "./waiting-store.ts";

export type WebhookWorker = {
  /** Looks for due deliveries now. A hint only: they are found without it. */
  wake(): void;
  /** Starts nothing more and resolves when the attempts under way, each bounded by its deadline, are recorded. */
  stop(): Promise<void>;
};

/** How often a process looks that does nothing else: what an event waits for at most, for ten cheap reads a second. */
const POLL_MS = 100;
/** How often one looks that has other roles too, among several: what others enqueue waits for this at most. */
const POLL_BESIDE_MS = 400;
/** How often one looks that reads the chain itself: what it enqueues comes with a hint, what waits with its time. */
const POLL_WITH_WAKE_UPS_MS = 1_000;
/** Bounds what a merchant waits for after enabling or deleting an endpoint. */
const MAINTENANCE_POLL_MS = 1_000;
/** Whoever reads numbers does not wait longer for how many deliveries wait. */
const BACKLOG_WITHIN_MS = 1_500;

/**
 * Delivers what is due until it is stopped: at most `concurrency` attempts at once, of one merchant at most
 * three quarters of that. A claim is only made for a free slot, so that whatever is claimed is under way, and what a
 * crash can repeat is bounded by the slots.
 */
export function startWebhookWorker(
  context: WebhooksContext,
  { wakeUps, access = systemAccess }: { wakeUps?: WakeUps; access?: NetworkAccess } = {},
): WebhookWorker {
  const { allowTargets: allowed } = context.config.webhooks;
  if (allowed.length > 0)
    context.log.warn(
      { event: "private_targets_allowed", allowed },
      "WEBHOOK_ALLOW_TARGETS lets webhooks go to private targets",
    );
  const post = createPost(context, access);
  const slots = createSlots(context.config.webhooks.concurrency, wake);
  const longestMs = () => pollMs(context.config.roles, wakeUps?.isLocal() ?? false);
  let isStopping = false;
  let wasWoken = false;
  let turn: Turn = {};
  const delivering = startWorkerLoop({
    name: "webhooks",
    pollMs: () => Math.min(longestMs(), Math.ceil(turn.nextMs ?? Infinity)),
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      wasWoken = false;
      const use = await slots.whenFree();
      if (isStopping) return false;
      const { claims, next } = await claimDeliveries(context, use, turn);
      turn = next;
      if (isStopping) await Promise.all(claims.map((claim) => releaseClaim(context.db, claim, 0)));
      else for (const claim of claims) slots.fill(claim.merchantId, () => attempt(context, claim, post));
      return claims.length > 0 || wasWoken;
    },
  });
  const tending = startMaintenance(context, wake);
  context.metrics.backlog.answerBy(() => findBacklog(context.db.answeringWithin(BACKLOG_WITHIN_MS)));
  function wake(): void {
    wasWoken = true;
    delivering.wake();
  }
  wakeUps?.onWakeUp(wake);
  return {
    wake,
    stop: async () => {
      isStopping = true;
      await Promise.all([delivering.stop(), tending.stop()]);
      await slots.drain();
    },
  };
}

/** Tends what is due, a list of merchants after the other; `onDone` is called when what it did may have made work. */
function startMaintenance(context: WebhooksContext, onDone: () => void): WorkerLoop {
  let after: MerchantId | undefined;
  return startWorkerLoop({
    name: "webhook-tending",
    pollMs: MAINTENANCE_POLL_MS,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      const { merchantIds } = await findDueWork(context.db, { after });
      after = merchantIds.at(-1);
      if (merchantIds.length === 0) return false;
      const isMoreWaiting = await maintainDeliveries(context, merchantIds);
      onDone();
      return isMoreWaiting;
    },
  });
}

function pollMs(roles: readonly Role[], isWoken: boolean): number {
  if (isWoken) return POLL_WITH_WAKE_UPS_MS;
  return roles.length === 1 ? POLL_MS : POLL_BESIDE_MS;
}

/** Where a worker is in going round among the merchants, and how soon there will be more than it has seen. */
export type Turn = { readonly after?: MerchantId | undefined; readonly nextMs?: number | undefined };

/**
 * Leases due deliveries to this process, one for each slot that may be taken, fairly between merchants and then between
 * the endpoints of each. Committed before it returns: each claim is counted as an attempt and must be delivered or
 * released.
 */
export async function claimDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  use: SlotUse,
  { after }: Turn = {},
): Promise<{ claims: ClaimedDelivery[]; next: Turn }> {
  const { endpointConcurrency: perEndpoint, timeoutMs } = context.config.webhooks;
  const { underWay } = use;
  const { merchantIds, nextMs } = await findDueWork(context.db, { after, busy: [...underWay.keys()] });
  const next = { after: merchantIds.at(-1), nextMs };
  if (merchantIds.length === 0) return { claims: [], next };
  const options = { merchantIds, perEndpoint, underWay, leaseMs: leaseMs(timeoutMs) };
  return { claims: await claimDueDeliveries(context.db, { ...options, ...freeSlots(use) }), next };
}

/** Makes the attempt of a claim; a result that cannot be recorded is only logged, for its lease will lapse. */
async function attempt(context: WebhooksContext, claim: ClaimedDelivery, post: Post): Promise<void> {
  try {
    await deliverWebhook(context, claim, post);
  } catch (error) {
    if (context.databaseOutage.report(error)) return;
    context.log.error(
      { event: "webhook_not_recorded", delivery_id: claim.deliveryId, err: error },
      "the result of a webhook was not recorded; it is sent again when its lease ends",
    );
  }
}
