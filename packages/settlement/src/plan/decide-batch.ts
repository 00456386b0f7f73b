import { fetchAccount } from "@daric/chain/nodes/fetch-account";
import { isToken } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import type { ResourcePrices, SweepFacts, UsdRates } from "@daric/domain/sweep-price";
import type { ChainView, PlanningContext } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { findUnpromisedStake, stakeFor } from "../energy/delegation.ts";
import { querySettled } from "../solid-reach.ts";
import { RETRY_AFTER_MS } from "../timing.ts";
import { decideSweep, type SweepDecision } from "./decide-sweep.ts";
import type { BatchedSweep } from "./split-fees.ts";

/** The part of a sweep that its decision needs. */
type UndecidedSweep = Pick<BatchedSweep, "currency" | "wanted" | "oldestAt" | "recipient">;

/** A sweep of a batch with its decision. */
export type DecidedSweep<S = BatchedSweep> = {
  readonly sweep: S;
  readonly facts: SweepFacts;
  readonly verdict: SweepDecision;
};

/** Decides about a batch in its order. Earlier sweeps get stake and gas first. */
export async function decideBatch<S extends UndecidedSweep>(
  context: PlanningContext,
  settling: ChainView,
  {
    batch,
    prices,
    rates,
    control,
  }: {
    batch: readonly { sweep: S; facts: SweepFacts }[];
    prices: ResourcePrices;
    rates: UsdRates;
    control: SettlementControl;
  },
): Promise<DecidedSweep<S>[]> {
  const { stakeAddress, withoutEnergy, maxPriceSun, ...rules } = context.config.settlement;
  const stake = stakeAddress === undefined ? undefined : await findUnpromisedStake(context, settling);
  let freeStake = stake?.sun ?? 0n;
  let gas = await findGas(context, settling);
  const now = context.clock.now().getTime();
  return batch.map(({ sweep, facts }) => {
    const { currency, wanted, oldestAt, recipient } = sweep;
    // The operator pays for the transfer of its own fees. They are sent only once they are worth many transfers.
    const isAsked =
      recipient === "operator" || (control.sweepAllBefore !== null && oldestAt <= control.sweepAllBefore);
    const known = {
      currency,
      wanted,
      prices,
      rates,
      rules,
      maxPriceSun,
      ageMs: now - oldestAt.getTime(),
      isAsked,
    };
    // After an expired transfer the address may still have its borrowed energy.
    const isLent = facts.energyAvailable >= facts.energyNeeded;
    const loan = stake === undefined || isLent ? 0n : stakeFor(facts.energyNeeded, stake);
    const canBorrow = stake !== undefined && isToken(currency) && loan <= freeStake;
    const isToBurn = stake === undefined || !isToken(currency) || (!canBorrow && withoutEnergy === "burn");
    const verdict = decideSweep(facts, { ...known, resources: isToBurn ? "burn" : "delegate" });
    if (verdict.status !== "PLANNED") return { sweep, facts, verdict };
    const wait = (reason: string, waitMs: number): DecidedSweep<S> => ({
      sweep,
      facts,
      verdict: { ...verdict, status: "WAITING", reason, waitMs },
    });
    if (verdict.resources === "delegate" && !canBorrow)
      return wait(
        `the stake can lend ${formatAmount(amountFromUnits(freeStake))} TRX now: its energy recovers within a day`,
        RETRY_AFTER_MS.energy,
      );
    const gasCost = verdict.price.topUp > 0n ? verdict.price.topUp + prices.activation : 0n;
    if (gasCost > gas)
      return wait(
        `the gas wallet holds ${formatAmount(amountFromUnits(gas))} TRX: fund it`,
        RETRY_AFTER_MS.gas,
      );
    gas -= gasCost;
    if (verdict.resources === "delegate") freeStake -= loan;
    return { sweep, facts, verdict };
  });
}

/** The sun in the gas wallet that enough nodes see. */
export async function findGas(context: PlanningContext, settling: ChainView): Promise<bigint> {
  const answers = await querySettled(context, settling, (node) => fetchAccount(node, settling.gasAddress));
  return answers.least(({ trx }) => trx);
}
