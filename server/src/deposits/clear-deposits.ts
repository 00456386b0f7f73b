import type { Cursor, ReadBlock } from "./block-store.ts";
import { clearByBalance } from "./clear-by-balance.ts";
import { findUncovered } from "./clear-store.ts";
import type { Clearance } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** Asks what must be asked before deposits are confirmed by this solid block; nothing where a root covers them all. */
export async function clearDeposits(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, solid }: { cursor: Cursor; solid: ReadBlock },
): Promise<Clearance> {
  const uncovered = await findUncovered(context.db, scanner.network.name);
  return clearByBalance(context, scanner, { cursor, solid, uncovered });
}
