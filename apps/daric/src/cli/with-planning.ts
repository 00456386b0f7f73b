import { systemClock } from "@daric/runtime/clock";
import type { ChainView, PlanningContext } from "@daric/settlement/context";
import { solidReach } from "@daric/settlement/solid-reach";
import { findVerifiedBlock } from "@daric/settlement/verified-tip-store";
import { findGasAddress } from "@daric/settlement/worker/turn";
import type { Variables } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { withDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";

/** The settings of commands that plan sweeps, or name their price. */
export const planningSettings = [
  ...nodeSettings,
  "deposits.quorum",
  "settlement.stakeAddress",
  "settlement.withoutEnergy",
  "settlement.maxPriceSun",
  "settlement.maxCostBasisPoints",
  "settlement.sweepsAtOnce",
] as const;

/** Runs `work` with the context of a plan: its settings, the database and the nodes. */
export function withPlanning<T>(
  variables: Variables,
  work: (context: PlanningContext, chain: ChainView) => Promise<T>,
): Promise<T> {
  return withDatabase(variables, planningSettings, ({ db, config }) =>
    withNodes(config.chain, async ({ client, network }) => {
      const verified = await findVerifiedBlock(db, network.name);
      const gasAddress = await findGasAddress({ db });
      if (verified === undefined || gasAddress === undefined)
        throw new CommandError(
          "there is nothing to settle yet: no address was issued, or no block was verified",
        );
      const context = { db, config, clock: systemClock };
      const reach = solidReach(context, { client, verified });
      return work(context, { client, network, verified, reach, gasAddress });
    }),
  );
}
