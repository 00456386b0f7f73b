import { depositMachine } from "../domain/deposit.ts";
import { assertLease } from "../runtime/lease.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import type { Clearance } from "./clearance.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import type { WatcherContext } from "./context.ts";
import { findPockets } from "./open-store.ts";
import type { Scanner } from "./scanner.ts";

type Final = { readonly cursor: Cursor; readonly solid: ReadBlock; readonly clearance: Clearance };

/**
 * Confirms what came late, once what is told before it is written; undefined where nothing waits. In a transaction of its own:
 * whoever has written events waits for no row of a charge.
 */
export async function confirmLate(
  context: WatcherContext,
  { network, lease }: Scanner,
  final: Final,
): Promise<Awaited<ReturnType<typeof confirmDeposits>> | undefined> {
  const statuses = depositMachine.edge("finalized").from;
  const waiting = await findPockets(context.db, { network: network.name, statuses, to: final.solid.number });
  if (waiting.length === 0) return undefined;
  const scope = { network: network.name, epoch: lease.epoch };
  return context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    return confirmDeposits(context, tx, { ...final, scope, late: true });
  });
}
