import { amountFromUnits, formatAmount } from "@daric/domain/money";
import type { ChainView, PlanningContext } from "@daric/settlement/context";
import { findFreeStake } from "@daric/settlement/energy/delegation";
import { fetchReceivers, fetchResources } from "@daric/settlement/node-calls";
import { findGas } from "@daric/settlement/plan/decide-batch";
import { describeUnrated } from "@daric/settlement/plan/small-sums";
import { findSignerState } from "@daric/settlement/signer-store";
import { querySettled } from "@daric/settlement/solid-reach";
import { sumGasOfWeek } from "@daric/settlement/worker/watch-store";
import type { Command } from "commander";
import { type OutputOptions, printOne, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withPlanning } from "./with-planning.ts";

const DAYS = 7n;

/** `daric wallet status`: the operator's accounts that pay for sweeps, and how long they last. */
export function addWalletCommands(program: Command, terminal: Terminal): void {
  program
    .command("wallet")
    .description("the gas wallet and the stake that pay for sweeps")
    .command("status")
    .description("show gas, stake and loans, and how long they last")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const view = await withPlanning(terminal.variables, async (context, chain) => ({
        ...(await gasView(context, chain)),
        ...(await stakeView(context, chain)),
        ...(await signerView(context)),
        withoutRate: await describeUnrated(context),
      }));
      printOne(terminal, options, { title: "The accounts that pay for sweeps", view });
    });
}

async function gasView(context: PlanningContext, chain: ChainView): Promise<View> {
  const gas = await findGas(context, chain);
  const spent = await sumGasOfWeek(context.db);
  return {
    gasAddress: chain.gasAddress,
    gasTrx: trx(gas),
    gasSpentTrxOfWeek: trx(spent),
    gasDaysLeft: spent === 0n ? null : Number((gas * DAYS) / spent),
  };
}

async function stakeView(context: PlanningContext, chain: ChainView): Promise<View> {
  const { stakeAddress } = context.config.settlement;
  if (stakeAddress === undefined) return { stakeAddress: null };
  const resources = await querySettled(context, chain, (node) => fetchResources(node, stakeAddress));
  const receivers = await querySettled(context, chain, (node) => fetchReceivers(node, stakeAddress));
  const free = await findFreeStake(context, chain);
  return {
    stakeAddress,
    stakeFreeTrx: trx(free.sun),
    stakeEnergyOfDay: Number(resources.least(({ energyLimit }) => energyLimit)),
    stakeEnergyLeft: Number(resources.least(({ energy }) => energy)),
    addressesWithLoans: new Set(receivers.all.flat()).size,
  };
}

async function signerView({ db }: PlanningContext): Promise<View> {
  const signer = await findSignerState(db);
  return {
    signerSeenAt: signer?.seenAt?.toISOString() ?? null,
    signerIsPaused: signer?.state.isPaused ?? null,
    signerGasAddress: signer?.state.gasAddress ?? null,
  };
}

function trx(sun: bigint): string {
  return formatAmount(amountFromUnits(sun));
}
