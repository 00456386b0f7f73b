import type { Transaction } from "@daric/postgres/sql";
import { depositMachine } from "../../domain/deposit.ts";
import { inFairRounds, roundRobin } from "../../runtime/fair-rounds.ts";
import { addTransfers, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findOpenGroups, openGroupKey, readOpenGroups } from "../open-store.ts";
import { failDropped, failRejected, failUnpaid } from "../status-store.ts";
import type { ChangedDeposit, Scope } from "../store.ts";

const MAX_FAILED_AT_ONCE = 200;

/**
 * Fails orphaned deposits by our own blocks: a solid block has the transaction without the payment, or the transaction expired before
 * the solid block. It also fails deposits that an operator rejected. All others wait.
 */
export async function failDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, solid }: { scope: Scope; solid: ReadBlock },
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const { droppedAfterMs } = context.config.deposits;
  const { from: statuses } = depositMachine.edge("failed");
  const inTurn = roundRobin(await readOpenGroups(tx, { network: scope.network, statuses }));
  const limits = { limit: MAX_FAILED_AT_ONCE, unitOf: openGroupKey };
  const stuck = await findOpenGroups(tx, {
    network: scope.network,
    statuses: depositMachine.edge("rejected").from,
  });
  const rejected = await inFairRounds(roundRobin(stuck), limits, (groups, limitEach) =>
    failRejected(tx, scope, { groups, limitEach }),
  );
  for (const { blockId } of rejected.rows) await addTransfers(tx, { blockId, count: -1 });
  const unpaid = await inFairRounds(inTurn, limits, (groups, limitEach) =>
    failUnpaid(tx, scope, { groups, limitEach, solid }),
  );
  const dropped = await inFairRounds(inTurn, limits, (groups, limitEach) =>
    failDropped(tx, scope, { groups, limitEach, solid, droppedAfterMs }),
  );
  return {
    deposits: [...rejected.rows, ...unpaid.rows, ...dropped.rows],
    isMoreWaiting: [rejected, unpaid, dropped].some(({ isMoreWaiting }) => isMoreWaiting),
  };
}
