import { TOKEN_TRANSFER_ENERGY } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import type { ChainView, PlanningContext } from "../context.ts";
import { fetchDelegable, fetchDelegated, fetchResources, type LoanState } from "../node-calls.ts";
import { querySettled } from "../solid-reach.ts";
import type { OpenSweep } from "../sweeps/sweep-store.ts";
import { doesLoanWait, sumPromisedEnergy, sumRequestedLoans } from "./loan-store.ts";

/** A delegation exceeds the energy of the transfer by 2 %, because the network's totals change. */
const MARGIN_PERCENT = 102n;
const SUN_PER_TRX = 1_000_000n;
/** The least stake that TRON lets an account delegate. */
const MIN_LOAN_SUN = 1_000_000n;

/** The stake in sun that gives this much energy a day. One TRX gives limit ÷ weight, by the network's totals. */
export function stakeFor(
  energy: bigint,
  { totalEnergyLimit, totalEnergyWeight }: { totalEnergyLimit: bigint; totalEnergyWeight: bigint },
): bigint {
  if (totalEnergyLimit <= 0n) throw new Error("the network gives no energy for stake");
  const divisor = totalEnergyLimit * 100n;
  const sun = (energy * totalEnergyWeight * SUN_PER_TRX * MARGIN_PERCENT + divisor - 1n) / divisor;
  return sun < MIN_LOAN_SUN ? MIN_LOAN_SUN : sun;
}

/**
 * The stake account that delegates energy. A deployment without one burns TRX.
 *
 * @throws Error if none is configured.
 */
export function stakeAddressOf({ config }: Pick<PlanningContext, "config">): string {
  const { stakeAddress } = config.settlement;
  if (stakeAddress === undefined)
    throw new Error("no STAKE_ADDRESS is configured, and a sweep is to borrow energy");
  return stakeAddress;
}

/** Whether an address has the energy of its sweep, by enough nodes. */
export async function isLent(
  context: PlanningContext,
  settling: ChainView,
  { address, energy }: Pick<OpenSweep, "address" | "energy">,
): Promise<boolean> {
  const answers = await querySettled(context, settling, (node) => fetchResources(node, address));
  return answers.least((resources) => resources.energy) >= energy;
}

/** The stake to delegate to a sweep, or a description of what is lacking. */
export async function sizeLoan(
  context: PlanningContext,
  settling: ChainView,
  { energy }: Pick<OpenSweep, "energy">,
): Promise<{ readonly sun: bigint } | { readonly lacking: string }> {
  const free = await findFreeStake(context, settling);
  const sun = stakeFor(energy, free);
  if (sun <= free.sun) return { sun };
  const [needed, left] = [sun, free.sun].map((units) => formatAmount(amountFromUnits(units)));
  return {
    lacking: `the stake can lend ${left} TRX now and ${needed} are needed: its energy recovers within a day`,
  };
}

/** Stake that can be delegated, and the network's totals that convert it to energy. */
export type FreeStake = {
  readonly sun: bigint;
  readonly totalEnergyLimit: bigint;
  readonly totalEnergyWeight: bigint;
};

/** The stake that can be delegated now, less delegations that are requested and have not landed. */
export async function findFreeStake(context: PlanningContext, settling: ChainView): Promise<FreeStake> {
  const stake = stakeAddressOf(context);
  const answers = await querySettled(context, settling, async (node) => ({
    delegable: await fetchDelegable(node, stake),
    ...(await fetchResources(node, stake)),
  }));
  const asked = await sumRequestedLoans(context.db);
  const delegable = answers.least((answer) => answer.delegable);
  return {
    sun: delegable > asked ? delegable - asked : 0n,
    totalEnergyLimit: answers.least((answer) => answer.totalEnergyLimit),
    totalEnergyWeight: answers.most((answer) => answer.totalEnergyWeight),
  };
}

/** The stake for new sweeps: the free stake less the share of sweeps that are planned already. */
export async function findUnpromisedStake(context: PlanningContext, settling: ChainView): Promise<FreeStake> {
  const free = await findFreeStake(context, settling);
  const promised = await sumPromisedEnergy(context.db);
  const sun = promised === 0n ? free.sun : free.sun - stakeFor(promised, free);
  return { ...free, sun: sun > 0n ? sun : 0n };
}

/**
 * The number of token transfers worth planning now; undefined if they burn TRX. Without free energy one transfer is
 * planned: it waits, and its reason stands for all. The next plan chooses the others once energy has recovered.
 */
export async function countLendable(
  context: PlanningContext,
  settling: ChainView,
): Promise<number | undefined> {
  const { stakeAddress, withoutEnergy } = context.config.settlement;
  if (stakeAddress === undefined || withoutEnergy === "burn") return undefined;
  const stake = await findUnpromisedStake(context, settling);
  const lendable = Number(stake.sun / stakeFor(TOKEN_TRANSFER_ENERGY, stake));
  return (await doesLoanWait(context.db)) ? lendable : lendable + 1;
}

/** The stake in sun that the stake account delegates to an address, by enough nodes. */
export async function findLoan(
  context: PlanningContext,
  settling: ChainView,
  { address: receiver, state }: { address: string; state: LoanState },
): Promise<bigint> {
  const stake = stakeAddressOf(context);
  const answers = await querySettled(context, settling, (node) =>
    fetchDelegated(node, { stake, receiver, state }),
  );
  return answers.most((sun) => sun);
}
