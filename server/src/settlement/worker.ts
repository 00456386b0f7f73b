import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { hexToAddress } from "@daric/tron/address";
import { findGasWallets } from "../addresses/gas-wallet-store.ts";
import { isNodeAway, NodeError } from "../chain/blocks/node-error.ts";
import type { TronClient } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { keepLease, type Lease, LeaseLostError } from "../runtime/lease.ts";
import { startWorkerLoop, type WorkerLoop } from "../runtime/worker-loop.ts";
import { advanceSweep } from "./advance.ts";
import { bookCosts } from "./book-costs.ts";
import type { SettlementContext, Settling } from "./context.ts";
import { getControl, type SettlementControl } from "./control-store.ts";
import { endSettlements } from "./end-settlements.ts";
import { forgetSettlement } from "./metrics.ts";
import { dropOverdueExports } from "./offline-step.ts";
import { hasOfflineSweeps } from "./offline-store.ts";
import { planSweeps } from "./plan.ts";
import { findVerifiedBlock } from "./position-store.ts";
import { followReturns, takeBackIdleLoans } from "./reclaim.ts";
import { replanSweep } from "./replan.ts";
import { findSignerState } from "./request-store.ts";
import { mayRequest } from "./sweep-step.ts";
import { listDueSweeps, type OpenSweep } from "./sweep-store.ts";
import { createWatch, type SettlementWatch, type WatchedAccounts } from "./watch.ts";
import { countOpenSweeps } from "./watch-store.ts";

const LEASE_TTL_MS = 3_500;
const POLL_MS = { live: 3_000, devnet: 300 };
const PLAN_EVERY_MS = { live: 30_000, devnet: 1_000 };
const RECLAIM_EVERY_MS = 3_600_000;
/** Without a signer there is nothing to settle, so that the worker only looks for one. */
const SIGNER_LOOK_EVERY_MS = 20_000;
const NO_SIGNER =
  "no signer has run on this database: money is collected by hand, or by `daric sweep export`";
/** Sweeps that one step looks at; more than may be under way. */
const AT_ONCE = 500;

/** What settles, and how it stands. */
export type SettlementWorker = Pick<WorkerLoop, "wake" | "isFailing" | "stop"> & {
  /** in words for an operator: what settlement waits for beside prices */
  faults(): readonly string[];
  /** what pays for sweeps; undefined in a process that does not settle */
  found(): WatchedAccounts | undefined;
};

/**
 * Settles for as long as it runs. Of all processes that do so, the one that holds the lease works; the others stand by.
 */
export function startSettlementWorker(
  context: SettlementContext,
  { client, network }: { client: TronClient; network: Network },
): SettlementWorker {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const name = `settlement:${network.name}`;
  const lease = keepLease(context.db, { name, holder, ttlMs: LEASE_TTL_MS, clock: context.clock });
  const pace = network.name === "devnet" ? "devnet" : "live";
  const watch = createWatch(context);
  const signer = createSignerLook(context);
  const turn = createTurn(context, { client, network, watch, planEveryMs: PLAN_EVERY_MS[pace] });
  let isLeading = false;
  context.metrics.openSweeps.answerBy(async () => (isLeading ? countOpenSweeps(context.db) : undefined));

  async function processNext(): Promise<boolean> {
    if (!(await signer.look())) return false;
    const held = await lease.current();
    isLeading = held !== undefined;
    if (held === undefined) {
      turn.forget();
      forgetSettlement(context.metrics);
      return false;
    }
    context.metrics.settlementLeader.set(1);
    try {
      return await turn.take(held);
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

/** Whether a signer has ever run on this database, or sweeps were exported to one. That stays so, and is not asked again. */
function createSignerLook({ db, clock }: SettlementContext) {
  let isSeen = false;
  let lookAtMs = 0;
  return {
    isSeen: () => isSeen,
    look: async (): Promise<boolean> => {
      if (isSeen || clock.monotonicMs() < lookAtMs) return isSeen;
      lookAtMs = clock.monotonicMs() + SIGNER_LOOK_EVERY_MS;
      isSeen = (await findSignerState(db)) !== undefined || (await hasOfflineSweeps(db));
      return isSeen;
    },
  };
}

type TurnParts = {
  readonly client: TronClient;
  readonly network: Network;
  readonly watch: SettlementWatch;
  readonly planEveryMs: number;
};

/** One look at everything: what is under way goes on first, then something new is planned. Whether there is more to do at once. */
export function createTurn(context: SettlementContext, { client, network, watch, planEveryMs }: TurnParts) {
  let planAtMs = 0;
  let reclaimAtMs = 0;
  let plannedFor: Date | null = null;
  let gasAddress: string | undefined;

  async function take(lease: Lease): Promise<boolean> {
    const verified = await findVerifiedBlock(context.db, network.name);
    gasAddress ??= await findGasAddress(context);
    if (verified === undefined || gasAddress === undefined) return false;
    const control = await getControl(context.db);
    const settling: Settling = {
      client,
      network,
      lease,
      verified,
      gasAddress,
      isPaused: control.pausedAt !== null,
    };
    await bookCosts(context, settling);
    await dropOverdueExports(context, settling);
    const nowMs = context.clock.monotonicMs();
    if (context.config.settlement.stakeAddress !== undefined) {
      if (nowMs >= reclaimAtMs) await takeBackIdleLoans(context, settling);
      if (nowMs >= reclaimAtMs) reclaimAtMs = nowMs + RECLAIM_EVERY_MS;
      await followReturns(context, settling);
    }
    await goOn(context, settling, control);
    await endSettlements(context, settling);
    const isAsked = control.askedAt !== null && control.askedAt.getTime() !== plannedFor?.getTime();
    if (nowMs < planAtMs && !isAsked) return false;
    // While the watcher is behind, the ledger does not know what has left the addresses: a restored database is.
    const mayPlan = (await watch.look(settling, control)) && mayRequest(context, settling);
    const planned = mayPlan ? await planSweeps(context, settling, control) : 0;
    plannedFor = control.askedAt;
    planAtMs = nowMs + planEveryMs;
    return planned > 0;
  }

  return {
    take,
    /** what another process has done meanwhile is not known: begin as at a start */
    forget: () => {
      planAtMs = 0;
      reclaimAtMs = 0;
    },
  };
}

/** Each sweep by itself: what is wrong with one does not keep the others. */
async function goOn(
  context: SettlementContext,
  settling: Settling,
  control: SettlementControl,
): Promise<void> {
  const wokenAt = settling.isPaused ? null : control.askedAt;
  const due = await listDueSweeps(context.db, { network: settling.network.name, wokenAt, limit: AT_ONCE });
  const failures: unknown[] = [];
  for (const sweep of due) {
    try {
      await step(context, settling, { sweep, control });
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.find((error) => !(error instanceof NodeError)) ?? failures[0];
}

async function step(
  context: SettlementContext,
  settling: Settling,
  { sweep, control }: { sweep: OpenSweep; control: SettlementControl },
): Promise<void> {
  const isToPlan = ["WAITING", "RETRY", "FROZEN"].includes(sweep.status);
  if (!isToPlan) return advanceSweep(context, settling, sweep);
  if (mayRequest(context, settling)) await replanSweep(context, settling, { sweep, control });
}

/** The address of the signer's gas key, by the xpub that addresses are issued under. Undefined before the first address. */
export async function findGasAddress({ db }: Pick<SettlementContext, "db">): Promise<string | undefined> {
  const [gasWallet] = await findGasWallets(db);
  return gasWallet === undefined ? undefined : hexToAddress(gasWallet);
}
