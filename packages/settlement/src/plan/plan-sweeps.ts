import { type Currency, currencies } from "@daric/domain/asset";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { SettlementContext, Settling } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { countLendable } from "../energy/delegation.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import { walletKey } from "../wallet-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { compareContents } from "./compare-contents.ts";
import type { DecidedSweep } from "./decide-batch.ts";
import { makePlan } from "./make-plan.ts";
import {
  countUnderWay,
  insertPlan,
  type PlannedSettlement,
  type PlannedSweep,
  type StoredPlan,
} from "./plan-store.ts";

/**
 * Plans the next sweeps and stores them. Returns how many are made now.
 *
 * @throws NodeError after the sweeps of one coin are stored, if the nodes say nothing about those of the other.
 */
export async function planSweeps(
  context: SettlementContext,
  settling: Settling,
  control: SettlementControl,
): Promise<number> {
  const underWay = await countUnderWay(context.db, ["WAITING", "RETRY", "FROZEN"]);
  const used = currencies.reduce((sum, currency) => sum + underWay[currency], 0);
  const limit = context.config.settlement.sweepsAtOnce - used;
  if (limit <= 0) return 0;
  const tokenLimit = (await countLendable(context, settling)) ?? limit;
  const { guard } = settling;
  await guard.recheck(settling);
  const request = { control, limit, tokenLimit, underWay, pausedWallets: guard.paused().map(walletKey) };
  const { decided: all, failures } = await makePlan(context, settling, request);
  guard.pause(all.filter(({ facts }) => !facts.isRecipientConfirmed).map(({ sweep }) => sweep));
  const decided = all.filter(({ facts }) => facts.isRecipientConfirmed);
  if (decided.length === 0) return 0;
  await compareContents(context, settling, decided);
  const plan = planOf(decided, { isOffline: false });
  let sweeps: readonly PlannedSweep[] = [];
  await writeUnderLease(context, settling, async (tx) => {
    sweeps = await insertPlan(tx, plan);
  });
  const addresses = new Map(decided.map(({ sweep }) => [sweep.chargeId, sweep.address]));
  for (const sweep of sweeps.filter(({ status }) => status === "FROZEN"))
    sweepReport.frozen(
      context,
      { ...sweep, address: addresses.get(sweep.chargeId) ?? "" },
      sweep.reason ?? "",
    );
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return sweeps.filter(({ status }) => status === "PLANNED").length;
}

/** The rows of a plan: one settlement for each merchant, currency and account. */
export function planOf(decided: readonly DecidedSweep[], { isOffline }: { isOffline: boolean }): StoredPlan {
  const settlements = new Map<string, PlannedSettlement>();
  const sweeps = decided.map(({ sweep, verdict }): PlannedSweep => {
    const { merchantId, currency, settlementAccountId, chargeId, recipient, destination, wanted } = sweep;
    const key = `${merchantId} ${currency} ${settlementAccountId}`;
    const settlement = settlements.get(key) ?? newSettlement(merchantId, currency, settlementAccountId);
    settlements.set(key, settlement);
    const { price, resources, status, reason } = verdict;
    const units = price.units > 0n ? price.units : wanted;
    const waitMs = verdict.status === "PLANNED" ? 0 : verdict.waitMs;
    const id = idOf("sweep", uuidv7());
    return {
      ...price,
      id,
      settlementId: settlement.id,
      merchantId,
      chargeId,
      currency,
      recipient,
      destination,
      resources,
      status,
      reason,
      units,
      waitMs,
      isOffline,
    };
  });
  return { settlements: [...settlements.values()], sweeps };
}

function newSettlement(
  merchantId: MerchantId,
  currency: Currency,
  settlementAccountId: PlannedSettlement["settlementAccountId"],
): PlannedSettlement {
  return { id: idOf("settlement", uuidv7()), merchantId, currency, settlementAccountId };
}
