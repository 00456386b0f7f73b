import type { MerchantId } from "../../domain/ids.ts";
import { type NetworkAccess, systemAccess } from "../../egress/guarded-dial.ts";
import { inLists } from "../../runtime/fair-rounds.ts";
import type { Role } from "../../runtime/setting.ts";
import type { WakeUps } from "../../runtime/wake-ups.ts";
import { startWorkerLoop, type WorkerLoop } from "../../runtime/worker-loop.ts";
import { findDueWork } from "../queue/queue-store.ts";
import { createPost, type Post } from "../sending/post-json.ts";
import { findBacklog } from "./backlog-store.ts";
import type { WebhooksContext } from "./context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, leaseMs, releaseClaim } from "./delivery-store.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { createSlots, freeSlots, type SlotUse } from "./slots.ts";
import { claimDueDeliveries } from "./waiting-store.ts";

export type WebhookWorker = {
  /** Looks for due deliveries now. A hint only: polling finds them too. */
  wake(): void;
  /** Stops new attempts; resolves when the running ones are recorded. */
  stop(): Promise<void>;
};

/** Poll interval of a process with this role only: ten cheap reads a second. */
const POLL_MS = 100;
/** Poll interval of a process with other roles too. */
const POLL_WITH_OTHER_ROLES_MS = 400;
/** Poll interval of a process that reads the chain itself: its own events come with a wake-up. */
const POLL_WITH_WAKE_UPS_MS = 1_000;
/** The longest wait after a merchant enables or deletes an endpoint. */
const MAINTENANCE_POLL_MS = 1_000;
/** The time limit of the backlog's query at a scrape. */
const BACKLOG_WITHIN_MS = 1_500;

/**
 * Delivers due events until it is stopped: at most `concurrency` attempts at once, three quarters of them for one
 * merchant. A claim needs a free slot, so a crash repeats at most that many.
 */
export function startWebhookWorker(
  context: WebhooksContext,
  { wakeUps, access = systemAccess }: { wakeUps?: WakeUps; access?: NetworkAccess } = {},
): WebhookWorker {
  const { allowTargets: allowed } = context.config.egress;
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

/**
 * Maintains due endpoints, one list of merchants at a time. `onDone` is called after changes that may create work.
 */
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
  return roles.length === 1 ? POLL_MS : POLL_WITH_OTHER_ROLES_MS;
}

/** The position of a worker among the merchants, and when the next delivery is due. */
export type Turn = { readonly after?: MerchantId | undefined; readonly nextMs?: number | undefined };

/**
 * Leases due deliveries, one per available slot, fairly between merchants and their endpoints. Each returned claim
 * counts as an attempt and must be delivered or released.
 */
export async function claimDeliveries(
  context: Pick<WebhooksContext, "config" | "db">,
  use: SlotUse,
  { after }: Turn = {},
): Promise<{ claims: ClaimedDelivery[]; next: Turn }> {
  const { endpointConcurrency: perEndpoint, timeoutMs } = context.config.webhooks;
  const { underWay } = use;
  const { merchantIds, nextMs } = await findDueWork(context.db, { after, busy: [...underWay.keys()] });
  const options = { perEndpoint, underWay, leaseMs: leaseMs(timeoutMs) };
  const { free, shared } = freeSlots(use);
  const claims: ClaimedDelivery[] = [];
  let last: MerchantId | undefined;
  for (const list of inLists(merchantIds)) {
    if (claims.length === free) break;
    const left = { free: free - claims.length, shared: shared - claims.length };
    claims.push(...(await claimDueDeliveries(context.db, { ...options, ...left, merchantIds: list })));
    last = list.at(-1);
  }
  return { claims, next: { after: last, nextMs } };
}

/** Makes one attempt. An unrecorded result is only logged, since its lease will lapse. */
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
