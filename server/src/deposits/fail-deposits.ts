import type { Transaction } from "@daric/postgres/sql";
import type { ReadBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { failDropped, failUnpaid } from "./status-store.ts";
import type { ChangedDeposit, Scope } from "./store.ts";

/** Deposits that fail in one transaction for one reason. There are none on most days. */
const MAX_FAILED_AT_ONCE = 200;

/**
 * Fails deposits for good whose block left the chain, by our own blocks only, every one of which was read up to the
 * proven solid block: either a solid block has their transaction and it did not pay us there, or their transaction
 * expired before the solid block was made and can enter no later one. Everything else waits.
 */
export async function failDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, solid }: { scope: Scope; solid: ReadBlock },
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const limit = MAX_FAILED_AT_ONCE;
  const unpaid = await failUnpaid(tx, scope, { solid, limit });
  const dropped = await failDropped(tx, scope, {
    solid,
    limit,
    droppedAfterMs: context.config.deposits.droppedAfterMs,
  });
  return {
    deposits: [...unpaid, ...dropped],
    isMoreWaiting: unpaid.length === limit || dropped.length === limit,
  };
}
