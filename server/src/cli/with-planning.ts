import type { Variables } from "../process/config.ts";
import { systemClock } from "../runtime/clock.ts";
import type { ChainView, PlanningContext } from "../settlement/context.ts";
import { solidReach } from "../settlement/solid-reach.ts";
import { findVerifiedBlock } from "../settlement/verified-tip-store.ts";
import { findGasAddress } from "../settlement/worker/turn.ts";
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
