import type { Transaction } from "@daric/postgres/sql";
import { assertLease } from "@daric/runtime/lease";
import { announceChanges } from "../announce-changes.ts";
import { type Cursor, moveCursor, orphanBlocksAbove, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { orphanDeposits } from "../status-store.ts";
import type { ChangedDeposit } from "../store.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Orphans our blocks above a common ancestor and their open deposits, moves the cursor there, and announces the deposits. It must
 * be the last call in its transaction, because it writes events.
 *
 * @throws LeaseLostError or CursorMovedError if another watcher reads now.
 */
export async function rollBack(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scanner, from, to }: { scanner: Scanner; from: Cursor; to: ReadBlock },
): Promise<ChangedDeposit[]> {
  const { lease, network } = scanner;
  const scope = { network: network.name, epoch: lease.epoch };
  await assertLease(tx, lease);
  await orphanBlocksAbove(tx, { network: network.name, number: to.number });
  await moveCursor(tx, { ...scope, from, to });
  const deposits = await orphanDeposits(tx, scope, { above: to.number });
  await announceChanges(context, tx, { deposits, headNumber: to.number });
  return deposits;
}
