import { isTooSlow } from "@daric/postgres/errors";
import type { Cursor, ReadBlock } from "./block-store.ts";
import { clearByBalance } from "./clear-by-balance.ts";
import { clearByQuorum } from "./clear-by-quorum.ts";
import { findUncovered, type LookLimits, type StuckPlace, type UncoveredDeposit } from "./clear-store.ts";
import { type Clearance, type ClearingMemory, clearingMemoryOf } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** What is STUCK beyond what one look sees comes after so many blocks at the soonest. */
const BLOCKS_OF_A_PAGE = 20;

type Looking = { readonly cursor: Cursor; readonly solid: ReadBlock; readonly limits?: LookLimits };

/**
 * Asks what must be asked before deposits are confirmed by this solid block. With a quorum that is whether enough nodes
 * agree, of all deposits; without one it is what lies on the addresses of those that no root covers, and nothing else. Where so much
 * waits there, by the word of one node, that the database cannot add it up in time, it goes on waiting, is tried again a minute
 * of blocks later, and keeps nothing that a root covers.
 */
export async function clearDeposits(
  context: WatcherContext,
  scanner: Scanner,
  looking: Looking,
): Promise<Clearance> {
  if (context.config.deposits.quorum !== undefined) return look(context, scanner, looking);
  const memory = clearingMemoryOf(scanner);
  const upTo = looking.solid.number;
  const nobodyKnows: Clearance = {
    // Nothing is found to lack anything: what does not wait for solidity goes on waiting as it is.
    keepsBack: false,
    reason: "balance",
    upTo,
    isSure: true,
    cleared: [],
    lacking: [],
    isMoreToAsk: false,
    seesAll: false,
  };
  if (upTo < memory.tooMuchUntil) return nobodyKnows;
  try {
    return await look(context, scanner, looking);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    memory.tooMuchUntil = upTo + BLOCKS_OF_A_PAGE;
    context.log.error(
      { err: error },
      "so much waits that no root covers that the database cannot add it up; it waits on, and all else is confirmed",
    );
    return nobodyKnows;
  }
}

async function look(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, solid, limits }: Looking,
): Promise<Clearance> {
  const memory = clearingMemoryOf(scanner);
  const network = scanner.network.name;
  const { uncovered, end, isWhole } = await findUncovered(context.db, {
    network,
    after: memory.stuckAfter,
    limits,
  });
  const { quorum } = context.config.deposits;
  const seesAll = isWhole && end === undefined && memory.stuckAfter === undefined;
  const clearance =
    quorum === undefined
      ? await clearByBalance(context, scanner, { cursor, solid, uncovered, isWhole })
      : await clearByQuorum(context, scanner, { quorum, solid, uncovered });
  turnPage(memory, { solid, uncovered, end });
  return { ...clearance, seesAll };
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
