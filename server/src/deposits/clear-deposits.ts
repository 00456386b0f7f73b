import type { Cursor, ReadBlock } from "./block-store.ts";
import { clearByBalance } from "./clear-by-balance.ts";
import { clearByQuorum } from "./clear-by-quorum.ts";
import { findUncovered, type StuckPlace, type UncoveredDeposit } from "./clear-store.ts";
import { type Clearance, type ClearingMemory, createClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** What is STUCK beyond what one look sees comes after so many blocks at the soonest. */
const BLOCKS_OF_A_PAGE = 20;

/**
 * Asks what must be asked before deposits are confirmed by this solid block. With a quorum that is whether enough nodes
 * agree, of all deposits; without one it is what lies on the addresses of those that no root covers, and nothing else.
 */
export async function clearDeposits(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, solid }: { cursor: Cursor; solid: ReadBlock },
): Promise<Clearance> {
  scanner.memory.clearing ??= createClearingMemory();
  const memory = scanner.memory.clearing;
  const network = scanner.network.name;
  const { uncovered, end } = await findUncovered(context.db, { network, after: memory.stuckAfter });
  const { quorum } = context.config.deposits;
  const clearance =
    quorum === undefined
      ? await clearByBalance(context, scanner, { cursor, solid, uncovered })
      : await clearByQuorum(context, scanner, { quorum, solid, uncovered });
  turnPage(memory, { solid, uncovered, end });
  return clearance;
}

type Page = {
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
  readonly end: StuckPlace | undefined;
};

/**
 * Goes on to what is STUCK behind this page, or to the first again, once all blocks of what is STUCK on it were looked for. What
 * else waits is new at every look.
 */
function turnPage(memory: ClearingMemory, { solid, uncovered, end }: Page): void {
  if (end === undefined && memory.stuckAfter === undefined) return;
  const isDone = uncovered.every(
    ({ isStuck, blockNumber, blockId }) =>
      !isStuck || blockNumber > solid.number || memory.shown.has(blockId),
  );
  if (!isDone || solid.number - memory.turnedAt < BLOCKS_OF_A_PAGE) return;
  memory.stuckAfter = end;
  memory.turnedAt = solid.number;
}
