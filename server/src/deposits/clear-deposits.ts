import type { Cursor, ReadBlock } from "./block-store.ts";
import { clearByBalance } from "./clear-by-balance.ts";
import { clearByQuorum } from "./clear-by-quorum.ts";
import { findUncovered } from "./clear-store.ts";
import type { Clearance } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Asks what must be asked before deposits are confirmed by this solid block. With a quorum that is whether enough nodes
 * agree, of all deposits; without one it is what lies on the addresses of those that no root covers, and nothing else.
 */
export async function clearDeposits(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, solid }: { cursor: Cursor; solid: ReadBlock },
): Promise<Clearance> {
  const uncovered = await findUncovered(context.db, scanner.network.name);
  const { quorum } = context.config.deposits;
  return quorum === undefined
    ? clearByBalance(context, scanner, { cursor, solid, uncovered })
    : clearByQuorum(context, scanner, { quorum, solid, uncovered });
}
