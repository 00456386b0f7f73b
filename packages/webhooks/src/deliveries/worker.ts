import { setTimeout as sleep } from "node:timers/promises";
import type { MerchantId } from "@daric/domain/ids";
import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { isServerAnswering } from "@daric/postgres/tenants";
import { inLists } from "@daric/runtime/fair-rounds";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { createAttempts, type Room } from "./attempts.ts";
import { findBacklog } from "./backlog-store.ts";
import { endpointSlots, type WebhooksContext } from "./context.ts";
import { type ClaimedDelivery, leaseMs } from "./delivery-store.ts";
import { findWork } from "./due-work.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { claimDueDeliveries } from "./waiting-store.ts";

export type WebhookWorker = {
  /** Looks for due deliveries now. A hint only: polling finds them too. */
  wake(): void;
  /** Stops new attempts; resolves when the running ones are recorded. */
  stop(): Promise<void>;
};

/**
 * The interval of looks at the queue. The next look is earlier where a delivery is due earlier, and after a wake-up. The process that
 * reads the chain is woken for each event of the chain, and for its own requests.
 */
const POLL_MS = 500;
const POLL_WHILE_READING_MS = 5_000;
/** Of the maintenance of what is due. */
const MAINTENANCE_POLL_MS = 1_000;
/** Merchants of one step of maintenance. */
const MAINTAINED_AT_ONCE = 200;
/** The time limit of the backlog's query at a scrape. */
const BACKLOG_WITHIN_MS = 1_500;
/** The most rows of a claim, so that the first of a burst need not wait for all of it. */
const MAX_AT_ONCE = 512;
/** After a claim of fewer rows the next look waits, so that more are due by then. */
const SMALL_CLAIM = 32;
const SMALL_CLAIM_PAUSE_MS = 20;

/**
 * Delivers due events until it is stopped: at most `concurrency` attempts at once, three quarters of them for one
 * merchant. It claims ahead of its slots and records results in batches; a crash repeats the attempts that were under
 * way or not recorded.
 */
export function startWebhookWorker(
  context: WebhooksContext,
  { wakeUps, access = systemAccess }: { wakeUps?: WakeUps; access?: NetworkAccess } = {},
): WebhookWorker {
  warnOfAllowedTargets(context);
  const tending = startMaintenance(context, wake);
  const attempts = createAttempts(context, { access, onProgress: lookAgain });
  let [wasWoken, isStopping] = [false, false];
  let turn: Turn = {};
  /** the last look found nothing: what is due may have been held back by what one may hold */
  let foundNothing = false;
  /** more may be claimed than the present look knows */
  let hasProgressed = false;
  const delivering = startWorkerLoop({
    name: "webhooks",
    pollMs: () =>
      Math.min(wakeUps?.isReading() ? POLL_WHILE_READING_MS : POLL_MS, Math.ceil(turn.nextMs ?? Infinity)),
    retryMs: POLL_MS,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      await attempts.whenRoom();
      if (isStopping) return false;
      [wasWoken, foundNothing, hasProgressed] = [false, false, false];
      const { claims, merchantIds, next } = await claimDeliveries(context, attempts.room(), {
        ...turn,
        start: attempts.start,
      });
      turn = next;
      tending.wakeFor(merchantIds);
      foundNothing = claims.length === 0;
      if (hasProgressed) lookAgain();
      if (claims.length > 0 && claims.length < SMALL_CLAIM) await sleep(SMALL_CLAIM_PAUSE_MS);
      return claims.length > 0 || wasWoken;
    },
  });
  context.metrics.backlog.answerBy(() => findBacklog(context.db.answeringWithin(BACKLOG_WITHIN_MS)));
  function wake(): void {
    wasWoken = true;
    delivering.wake();
  }
  function lookAgain(): void {
    hasProgressed = true;
    if (foundNothing) setTimeout(wake, SMALL_CLAIM_PAUSE_MS);
    foundNothing = false;
  }
  wakeUps?.onWakeUp(wake);
  return {
    wake,
    stop: async () => {
      isStopping = true;
      const stopped = attempts.stop();
      await Promise.all([delivering.stop(), tending.stop(), stopped]);
      // A claim of the last look.
      await attempts.stop();
    },
  };
}

function warnOfAllowedTargets({ config, log }: WebhooksContext): void {
  const { allowTargets: allowed } = config.egress;
  if (allowed.length > 0)
    log.warn(
      { event: "private_targets_allowed", allowed },
      "WEBHOOK_ALLOW_TARGETS lets webhooks go to private targets",
    );
}

type Maintenance = Pick<WorkerLoop, "stop"> & { wakeFor(merchantIds: readonly MerchantId[]): void };

/** Maintains what is due; costs nothing while nothing is. `onDone` is called after changes that may create work. */
function startMaintenance(context: WebhooksContext, onDone: () => void): Maintenance {
  const due = new Set<MerchantId>();
  const wakeFor = (merchantIds: readonly MerchantId[]) => {
    for (const id of merchantIds) due.add(id);
  };
  const loop = startWorkerLoop({
    name: "webhook-tending",
    pollMs: MAINTENANCE_POLL_MS,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      const merchantIds = [...due].filter(isServerAnswering).slice(0, MAINTAINED_AT_ONCE);
      for (const id of merchantIds) due.delete(id);
      if (merchantIds.length === 0) return false;
      const isMoreWaiting = await maintainDeliveries(context, merchantIds);
      if (isMoreWaiting) wakeFor(merchantIds);
      onDone();
      return isMoreWaiting;
    },
  });
  return { stop: loop.stop, wakeFor };
}

/** The position of a worker among the merchants, and when the next delivery is due. */
export type Turn = { readonly after?: MerchantId | undefined; readonly nextMs?: number | undefined };

/**
 * Leases due deliveries, fairly between merchants and their endpoints. Each returned claim counts as an attempt and
 * must be delivered or released. Also returns the merchants of which something is due. `start` gets the claims of each
 * shard of merchants at once, with the monotonic time before them.
 */
export async function claimDeliveries(
  context: Pick<WebhooksContext, "config" | "db" | "clock">,
  { free, held, rooms }: Room,
  {
    after,
    start = () => {},
  }: Turn & { start?: (claims: readonly ClaimedDelivery[], claimedMs: number) => void } = {},
): Promise<{ claims: ClaimedDelivery[]; merchantIds: readonly MerchantId[]; next: Turn }> {
  const { concurrency, timeoutMs } = context.config.webhooks;
  const { merchantIds, nextMs } = await findWork(context.db, { after, busy: [...held.keys()] });
  const options = { perEndpoint: endpointSlots(concurrency), held, rooms, leaseMs: leaseMs(timeoutMs) };
  const claims: ClaimedDelivery[] = [];
  const asked = new Set<MerchantId>();
  for (const list of inLists(merchantIds)) {
    if (claims.length >= Math.min(free, MAX_AT_ONCE)) break;
    const [left, claimedMs] = [free - claims.length, context.clock.monotonicMs()];
    const limit = Math.min(left, MAX_AT_ONCE - claims.length);
    const some = await claimDueDeliveries(context.db, { ...options, free: left, limit, merchantIds: list });
    start(some, claimedMs);
    claims.push(...some);
    for (const id of list) asked.add(id);
  }
  return { claims, merchantIds, next: { after: lastInTurn(merchantIds, { asked, after }), nextMs } };
}

/** The merchant after which the first one stands that was not asked, or else the last one. The turn stays where none was asked. */
function lastInTurn(
  merchantIds: readonly MerchantId[],
  { asked, after }: { asked: ReadonlySet<MerchantId>; after: MerchantId | undefined },
): MerchantId | undefined {
  const first = merchantIds.findIndex((id) => !asked.has(id));
  return first === 0 ? after : merchantIds.at(first === -1 ? -1 : first - 1);
}
