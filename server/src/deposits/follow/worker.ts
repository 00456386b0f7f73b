import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createIndexGuard, UnguardedError } from "../../addresses/index-guard.ts";
import { createOwnerFinder } from "../../addresses/owner-finder.ts";
import { isNodeAway, NodeError } from "../../chain/blocks/node-error.ts";
import type { NodeGroup } from "../../chain/nodes/chain-reader.ts";
import type { Network } from "../../chain/nodes/networks.ts";
import { keepLease, LeaseLostError } from "../../runtime/lease.ts";
import type { WakeUps } from "../../runtime/wake-ups.ts";
import { startWorkerLoop, type WorkerLoop } from "../../runtime/worker-loop.ts";
import { CursorMovedError, findBlock, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { forgetHeights } from "../metrics.ts";
import { NotYetError } from "../not-yet-error.ts";
import { countOpenDeposits } from "../open-store.ts";
import { createRescanWorker } from "../rescan/rescan-worker.ts";
import { pollMsOf } from "../settings.ts";
import { faultsOf } from "../verify/agreed-height.ts";
import { showVerified } from "../verify/finalize.ts";
import { ScanHaltedError, SolidContradictionError } from "../verify/solid-contradiction.ts";
import { createVerifyState } from "../verify/state.ts";
import { scanChain } from "./scan-chain.ts";
import { createFollowState, type Scanner, type SeenHead } from "./scanner.ts";
import { type LockBlockerSearch, type LockBlockerWatch, watchLockBlockers } from "./watch-lock-blockers.ts";

/** A watcher that is silent for this long is followed by another: within 5 s, two looks of that one included. */
const LEASE_TTL_MS = 3_500;
/** How often one that stands by looks at the lease, which asks the database alone. */
const STAND_BY_MS = 500;
/** Whoever reads numbers does not wait longer for how many deposits are not final. */
const OPEN_WITHIN_MS = 1_500;

/** Which lease the watcher that reads this network holds. Its holder is named `host/pid/…`. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}

/** The loop, what it sees, and what keeps it from reading on. */
export type DepositWorker = WorkerLoop &
  Omit<LockBlockerWatch, "during"> & {
    /** The head that was seen last, and when by the monotonic clock. */
    seenHead(): SeenHead | undefined;
    /** In words for an operator: a block that no node has shown whole for long, or else why step after step fails. */
    fault(): string | undefined;
    /** the nodes that a quorum lacks, where one is asked for */
    shortOfQuorum(): readonly string[];
  };

/**
 * Follows the chain for as long as it runs. Of all processes that do so, the one that holds the lease reads; the
 * others stand by. Every failure of a node is waited out.
 */
export function startDepositWorker(
  context: WatcherContext,
  chain: { client: NodeGroup; network: Network; wakeUps?: WakeUps; blockers?: LockBlockerSearch },
): DepositWorker {
  const lease = keepLease(context.db, requestOf(context, chain.network));
  const guard = createIndexGuard(context, chain);
  const kept = createMemories(context);
  const { following, verifying } = kept;
  let isHolding = false;
  const { during, ...held } = watchLockBlockers(context, chain.blockers, () => isHolding);
  const reportStart = createStartReporter(context, chain.network.name);
  const rescans = createRescanWorker(context, () => loop.wake());

  async function processNext(): Promise<boolean> {
    const held = await lease.current();
    isHolding = held !== undefined;
    chain.wakeUps?.setLocal(isHolding);
    await reportStart(isHolding);
    if (held === undefined) {
      following.unread.over();
      return false;
    }
    try {
      if (guard.isUncertain()) await guard.restore();
      const scanner = { ...chain, ...kept, lease: held, guard, afterCommit: () => chain.wakeUps?.notify() };
      const isMoreWaiting = await scanChain(context, scanner);
      await rescans.step(scanner);
      return isMoreWaiting;
    } catch (error) {
      // Restored in a step of its own: that may take a minute, in which what failed before would count as failing.
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
    shortOfQuorum: () => faultsOf({ verifying, client: chain.client }),
    ...held,
    failure: loop.failure,
    seenHead: () => following.head,
    fault: () => following.unread.overdue() ?? describe(loop.failure()),
    stop: async () => {
      await guard.stop();
      await loop.stop();
      chain.wakeUps?.setLocal(false);
      // A database that is away cannot be told; the lease lapses by itself.
      await lease.release().catch(() => {});
    },
  };
}

/** What a watcher keeps from step to step, each part changed by the folder that owns it alone. */
function createMemories(context: WatcherContext): Pick<Scanner, "owners" | "following" | "verifying"> {
  return {
    owners: createOwnerFinder(context),
    following: createFollowState(context),
    verifying: createVerifyState(),
  };
}

function requestOf({ clock }: WatcherContext, { name }: Network): Parameters<typeof keepLease>[1] {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  return { name: watcherLease(name), holder, ttlMs: LEASE_TTL_MS, clock };
}

/** Tells whether this watcher reads, and how the chain stands while it does: of that one that stands by knows nothing. */
function createStartReporter(
  { db, metrics }: WatcherContext,
  network: string,
): (isHolding: boolean) => Promise<void> {
  let isReading = false;
  metrics.openDeposits.answerBy(async () =>
    isReading ? countOpenDeposits(db.answeringWithin(OPEN_WITHIN_MS), network) : undefined,
  );
  return async (isHolding) => {
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

/** Nothing more is to be done by who was overtaken; any other failure is thrown on. */
function stepDown({ log }: WatcherContext, error: unknown): false {
  if (!(error instanceof LeaseLostError || error instanceof CursorMovedError)) throw error;
  log.warn(
    { event: "lease_lost", reason: error.message },
    "another watcher took over; this watcher stands by",
  );
  return false;
}

/** It has lines of its own. */
function isOutageOfNode(error: unknown): boolean {
  return error instanceof NodeError && isNodeAway(error);
}

/** What passes by itself: a node that is behind or has not all of a block, unlike one that is set up wrongly. */
function isExpected(error: unknown): error is Error {
  if (error instanceof ScanHaltedError) return true;
  return error instanceof NotYetError || (error instanceof NodeError && error.retryable);
}

/**
 * What may be shown to anybody who asks whether the service is ready: nothing that a node said, and nothing of a fault in
 * the program.
 */
function describe(failure: unknown): string | undefined {
  if (failure instanceof NodeError) return failure.safeMessage;
  const ours = [NotYetError, SolidContradictionError, ScanHaltedError];
  return failure instanceof Error && ours.some((kind) => failure instanceof kind)
    ? failure.message
    : undefined;
}
