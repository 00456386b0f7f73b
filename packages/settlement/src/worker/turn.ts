import { findGasWallets } from "@daric/addresses/gas-wallet-store";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import { type Lease, LeaseLostError } from "@daric/runtime/lease";
import { hexToAddress } from "@daric/tron/address";
import { bookCosts } from "../books/book-costs.ts";
import { endSettlements } from "../books/end-settlements.ts";
import type { SettlementContext, Settling } from "../context.ts";
import { getControl, type SettlementControl } from "../control-store.ts";
import { followReturns, returnIdleLoans } from "../energy/reclaim.ts";
import { planSweeps } from "../plan/plan-sweeps.ts";
import { replanSweep } from "../plan/replan.ts";
import { storeTerms } from "../plan/small-sums.ts";
import { solidReach } from "../solid-reach.ts";
import { dropOverdueExports } from "../sweeps/exported-sweeps.ts";
import { mayRequest } from "../sweeps/sweep-step.ts";
import { listDueSweeps, type OpenSweep } from "../sweeps/sweep-store.ts";
import { findVerifiedBlock } from "../verified-tip-store.ts";
import { advanceSweep } from "./advance.ts";
import type { SettlementWatch } from "./watch.ts";

const RECLAIM_EVERY_MS = 3_600_000;
/** The most sweeps in one pass; more than may be under way. */
const AT_ONCE = 500;

type TurnParts = {
  readonly client: TronClient;
  readonly network: Network;
  readonly watch: SettlementWatch;
  readonly planEveryMs: number;
};

/**
 * One pass of settlement: sweeps under way continue first, then new ones are planned. Returns whether another pass
 * should follow at once. Without a signer it only books what transactions by hand cost.
 */
export function createTurn(context: SettlementContext, { client, network, watch, planEveryMs }: TurnParts) {
  const guard = watch.guard;
  let planAtMs = 0;
  let reclaimAtMs = 0;
  let planAskedAt: Date | null = null;
  let gasAddress: string | undefined;

  async function take(lease: Lease, { hasSigner }: { readonly hasSigner: boolean }): Promise<boolean> {
    const verified = await findVerifiedBlock(context.db, network.name);
    gasAddress ??= await findGasAddress(context);
    if (verified === undefined || gasAddress === undefined) return false;
    const control = await getControl(context.db);
    const settling: Settling = {
      client,
      network,
      lease,
      verified,
      reach: solidReach(context, { client, verified }),
      gasAddress,
      isPaused: control.pausedAt !== null,
      guard,
    };
    await bookCosts(context, settling);
    if (!hasSigner) return false;
    await dropOverdueExports(context, settling);
    const nowMs = context.clock.monotonicMs();
    if (context.config.settlement.stakeAddress !== undefined) {
      if (nowMs >= reclaimAtMs) await returnIdleLoans(context, settling);
      if (nowMs >= reclaimAtMs) reclaimAtMs = nowMs + RECLAIM_EVERY_MS;
      await followReturns(context, settling);
    }
    await continueSweeps(context, settling, control);
    await endSettlements(context, settling);
    const isAsked = control.askedAt !== null && control.askedAt.getTime() !== planAskedAt?.getTime();
    if (nowMs < planAtMs && !isAsked) return false;
    // While the watcher is behind, as after a restore, the ledger lacks money that has left the addresses.
    const mayPlan = (await watch.check(settling, control)) && mayRequest(context, settling);
    await storeTerms(context, settling);
    const planned = mayPlan ? await planSweeps(context, settling, control) : 0;
    planAskedAt = control.askedAt;
    planAtMs = nowMs + planEveryMs;
    return planned > 0;
  }

  return {
    take,
    /** Another process may have worked meanwhile, so the next pass begins as after a start. */
    forget: () => {
      planAtMs = 0;
      reclaimAtMs = 0;
    },
  };
}

/** Continues each sweep by itself: the failure of one does not stop the others. */
async function continueSweeps(
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

/** The gas wallet's address, by the xpub that addresses are issued under. Undefined before the first address. */
export async function findGasAddress({ db }: Pick<SettlementContext, "db">): Promise<string | undefined> {
  const [gasWallet] = await findGasWallets(db);
  return gasWallet === undefined ? undefined : hexToAddress(gasWallet);
}
