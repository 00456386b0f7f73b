import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createIndexGuard, UnguardedError } from "@daric/addresses/index-guard";
import { createOwnerFinder } from "@daric/addresses/owner-finder";
import { isNodeAway, NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import { hungServer, isSharded } from "@daric/postgres/tenants";
import { createRefundWatch } from "@daric/refunds/watch";
import { type KeptLease, keepLease, LeaseLostError } from "@daric/runtime/lease";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { CursorMovedError, findBlock, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { forgetHeights } from "../metrics.ts";
import { NotYetError } from "../not-yet-error.ts";
import { countOpenDeposits } from "../open-store.ts";
import { createRescanWorker } from "../rescan/rescan-worker.ts";
import { pollMsOf } from "../settings.ts";
import { faultsOf } from "../verify/agreed-height.ts";
import { showVerified } from "../verify/finalize.ts";
import { startNodeAlarms } from "../verify/report-verified.ts";
import { ScanHaltedError, SolidContradictionError } from "../verify/solid-contradiction.ts";
import { findUnfinishedServer } from "./away-server-store.ts";
import { createAheadReader } from "./confirm-ahead.ts";
import { scanChain } from "./scan-chain.ts";
import { createFollowState, type SeenHead, settleAgain } from "./scanner.ts";
import { type LockBlockerSearch, type LockBlockerWatch, watchLockBlockers } from "./watch-lock-blockers.ts";

/** Another watcher takes over within 5 s: this time and two polls of the standby. */
const LEASE_TTL_MS = 3_500;
/** The interval at which a standby polls the lease in the database. */
const STAND_BY_MS = 500;
const OPEN_WITHIN_MS = 1_500;

/** The name of the lease. Its holder is named `host/pid/…`. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}

export type DepositWorker = WorkerLoop &
  Omit<LockBlockerWatch, "during"> & {
    /** the last seen head, with its time by the monotonic clock */
    seenHead(): SeenHead | undefined;
    /** Describes an overdue block, or else the failure that every step meets. */
    fault(): string | undefined;
    shortOfQuorum(): readonly string[];
  };

/** Follows the chain until it is stopped. The process with the lease reads, the others stand by. Node failures are retried. */
export function startDepositWorker(
  context: WatcherContext,
  chain: { client: NodeGroup; network: Network; wakeUps?: WakeUps; blockers?: LockBlockerSearch },
): DepositWorker {
  const lease = keepLease(context.db, requestOf(context, chain.network));
  const guard = createIndexGuard(context, chain);
  const { ahead, ...kept } = createMemories(context, { lease, wakeUps: chain.wakeUps });
  const { following } = kept;
  let isHolding = false;
  startNodeAlarms(context, chain.client);
  const { during, ...held } = watchLockBlockers(context, chain.blockers, () => isHolding);
  const reportStart = createStartReporter(context, chain);
  const rescans = createRescanWorker(context, () => loop.wake());
  const requireFinishedNodes = createNodesCheck(context);

  async function processNext(): Promise<boolean> {
    const held = await lease.current();
    isHolding = held !== undefined;
    await reportStart(isHolding);
    if (held === undefined) {
      following.stalled.clear();
      return false;
    }
    try {
      const scanner = { ...chain, ...kept, lease: held, guard };
      if (await ahead.step(scanner)) return false;
      await requireFinishedNodes();
      if (guard.isUncertain()) await guard.restore();
      const isMoreWaiting = await scanChain(context, scanner);
      if (await rescans.step(scanner)) settleAgain(scanner);
      return isMoreWaiting;
    } catch (error) {
      // The restore gets a step of its own: it may take a minute, during which an earlier failure would count as lasting.
      return error instanceof UnguardedError || stepDown(context, error);
    }
  }

  const loop = startWorkerLoop({
    name: "watcher",
    pollMs: () => (isHolding ? pollMsOf(context.config) : STAND_BY_MS),
    log: context.log,
    processNext: () => during(processNext),
    isExpected,
    isLogged: isOutageOfNode,
    databaseOutage: context.databaseOutage,
  });
  return {
    wake: loop.wake,
    isFailing: loop.isFailing,
    shortOfQuorum: () => faultsOf(context, chain, following.verifying),
    ...held,
    failure: loop.failure,
    seenHead: () => following.head,
    fault: () => following.stalled.overdue() ?? describeHung() ?? describe(loop.failure()),
    stop: async () => {
      await guard.stop();
      await loop.stop();
      // Without a database the lease expires by itself.
      await lease.release().catch(() => {});
    },
  };
}

/** The parts that last between steps. */
function createMemories(
  context: WatcherContext,
  { lease, wakeUps }: { readonly lease: KeptLease; readonly wakeUps: WakeUps | undefined },
) {
  const [owners, following] = [createOwnerFinder(context), createFollowState(context)];
  const hooks = { afterCommit: () => wakeUps?.notify(), afterBlocks: lease.noteRenewal };
  return { owners, refunds: createRefundWatch(), following, ahead: createAheadReader(context), ...hooks };
}

function requestOf({ clock }: WatcherContext, { name }: Network): Parameters<typeof keepLease>[1] {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  return { name: watcherLease(name), holder, ttlMs: LEASE_TTL_MS, clock };
}

/** Tells the other workers which watcher reads, and keeps its metrics. A standby knows no heights and removes its samples. */
function createStartReporter(
  { db, metrics }: WatcherContext,
  { network: { name: network }, wakeUps }: { readonly network: Network; readonly wakeUps?: WakeUps },
): (isHolding: boolean) => Promise<void> {
  let isReading = false;
  metrics.openDeposits.answerBy(async () =>
    isReading ? countOpenDeposits(db.answeringWithin(OPEN_WITHIN_MS), network) : undefined,
  );
  return async (isHolding) => {
    wakeUps?.setReading(isHolding);
    metrics.watcherLeader.set(isHolding ? 1 : 0);
    if (!isHolding) forgetHeights(metrics);
    else if (!isReading) {
      const cursor = await findCursor(db, network);
      const solid = cursor && (await findBlock(db, { network, number: cursor.solidNumber }));
      if (solid !== undefined) showVerified({ metrics }, solid);
    }
    isReading = isHolding;
  };
}

function stepDown({ log }: WatcherContext, error: unknown): false {
  if (!(error instanceof LeaseLostError || error instanceof CursorMovedError)) throw error;
  log.warn(
    { event: "lease_lost", reason: error.message },
    "another watcher took over; this watcher stands by",
  );
  return false;
}

/** How long an answer of all servers counts. It opens a connection to each, and a commit is unfinished after a second anyway. */
const NODES_FINISHED_MS = 1_000;
const SERVERS_WITHIN_MS = 4_000;

/**
 * Reads no block while a server of a distributed database is away, or has a commit to finish. It would pass over a payment to an order
 * that the server does not show.
 *
 * @throws NotYetError
 */
function createNodesCheck({ db, clock }: WatcherContext): () => Promise<void> {
  let finishedMs = -Infinity;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (!isSharded()) return;
    if (nowMs - finishedMs < NODES_FINISHED_MS) return;
    const server = await findUnfinishedServer(db.answeringWithin(SERVERS_WITHIN_MS));
    if (server !== undefined)
      throw new NotYetError(`the database server ${server} is away, or has a commit to finish`);
    finishedMs = nowMs;
  };
}

/** Node outages have log lines of their own. */
function isOutageOfNode(error: unknown): boolean {
  return error instanceof NodeError && isNodeAway(error);
}

/** Failures that pass by themselves, such as a node that lags. */
function isExpected(error: unknown): error is Error {
  if (error instanceof ScanHaltedError) return true;
  return error instanceof NotYetError || (error instanceof NodeError && error.retryable);
}

/** Blocks are not read for all merchants meanwhile. */
function describeHung(): string | undefined {
  const hung = hungServer();
  return (
    hung && `the database server ${hung} does not answer; payments to merchants of the others are confirmed`
  );
}

/** A failure as `/readyz` shows it: without a node's own text, and without internal errors. */
function describe(failure: unknown): string | undefined {
  if (failure instanceof NodeError) return failure.safeMessage;
  const ours = [NotYetError, SolidContradictionError, ScanHaltedError];
  return failure instanceof Error && ours.some((kind) => failure instanceof kind)
    ? failure.message
    : undefined;
}
