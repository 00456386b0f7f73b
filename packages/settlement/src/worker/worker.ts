import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isNodeAway, NodeError } from "@daric/chain/blocks/node-error";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import { keepLease, LeaseLostError } from "@daric/runtime/lease";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import type { SettlementContext } from "../context.ts";
import { resetSettlementMetrics } from "../metrics.ts";
import { findSignerState } from "../signer-store.ts";
import { hasOfflineSweeps } from "../sweeps/exported-store.ts";
import { createTurn } from "./turn.ts";
import { createWatch, type WatchedAccounts } from "./watch.ts";
import { countOpenSweeps } from "./watch-store.ts";

const LEASE_TTL_MS = 3_500;
const POLL_MS = { live: 3_000, devnet: 300 };
const PLAN_EVERY_MS = { live: 30_000, devnet: 1_000 };
/** Without a signer a pass only books what transactions by hand cost. */
const WITHOUT_SIGNER_EVERY_MS = 30_000;
const NO_SIGNER =
  "no signer has run on this database: money is collected by hand, or by `daric sweep export`";

/** The worker of settlement, and its state. */
export type SettlementWorker = Pick<WorkerLoop, "wake" | "isFailing" | "stop"> & {
  /** a sentence for each fault that delays settlement, except prices */
  faults(): readonly string[];
  /** the accounts that pay for sweeps; undefined in a process that does not settle */
  found(): WatchedAccounts | undefined;
};

/** Runs settlement until it is stopped. The process with the lease works; the others stand by. */
export function startSettlementWorker(
  context: SettlementContext,
  { client, network }: { client: TronClient; network: Network },
): SettlementWorker {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const name = `settlement:${network.name}`;
  const lease = keepLease(context.db, { name, holder, ttlMs: LEASE_TTL_MS, clock: context.clock });
  const pace = network.name === "devnet" ? "devnet" : "live";
  const watch = createWatch(context);
  const signer = createSignerCheck(context);
  const turn = createTurn(context, { client, network, watch, planEveryMs: PLAN_EVERY_MS[pace] });
  let isLeading = false;
  context.metrics.openSweeps.answerBy(async () => (isLeading ? countOpenSweeps(context.db) : undefined));

  async function processNext(): Promise<boolean> {
    if (!(await signer.isPassDue())) return false;
    const hasSigner = signer.isSeen();
    const held = await lease.current();
    isLeading = held !== undefined && hasSigner;
    if (held === undefined) {
      signer.askSoon();
      turn.forget();
      resetSettlementMetrics(context.metrics);
      return false;
    }
    if (hasSigner) context.metrics.settlementLeader.set(1);
    try {
      const isMore = await turn.take(held, { hasSigner });
      // Passes without a signer are rare, and a kept lease would be renewed every second.
      if (!hasSigner) await lease.release();
      return isMore;
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      context.log.warn(
        { event: "lease_lost", reason: error.message },
        "another process settles now; this one stands by",
      );
      return false;
    }
  }

  const loop = startWorkerLoop({
    name: "settlement",
    pollMs: POLL_MS[pace],
    log: context.log,
    processNext,
    isExpected: (error): error is Error => error instanceof NodeError && error.retryable,
    isLogged: (error) => error instanceof NodeError && isNodeAway(error),
    databaseOutage: context.databaseOutage,
  });
  return {
    wake: loop.wake,
    isFailing: loop.isFailing,
    faults: () => {
      if (!signer.isSeen()) return [NO_SIGNER];
      return isLeading ? watch.faults() : ["another process settles"];
    },
    found: () => (isLeading ? watch.found() : undefined),
    stop: async () => {
      await loop.stop();
      await lease.release().catch(() => {});
    },
  };
}

/**
 * Whether a signer has ever run on this database, or sweeps were exported to one. A true answer is final and cached.
 * With a signer each pass is due.
 */
function createSignerCheck({ db, clock }: SettlementContext) {
  let isSeen = false;
  let lookAtMs = 0;
  return {
    isSeen: () => isSeen,
    isPassDue: async (): Promise<boolean> => {
      if (isSeen) return true;
      if (clock.monotonicMs() < lookAtMs) return false;
      lookAtMs = clock.monotonicMs() + WITHOUT_SIGNER_EVERY_MS;
      isSeen = (await findSignerState(db)) !== undefined || (await hasOfflineSweeps(db));
      return true;
    },
    /** The next step is a pass again: it sees whether the holder of the lease is silent. */
    askSoon: () => {
      lookAtMs = 0;
    },
  };
}
