import { IncompleteBlockError } from "@daric/chain/blocks/node-error";
import { type Cursor, findBlockId, type ReadBlock } from "../block-store.ts";
import type { Context, WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { reportDeposits } from "../report-deposits.ts";
import { checkAgreement } from "../verify/solid-contradiction.ts";
import { verifiedUpTo } from "../verify/state.ts";
import { rollBack } from "./roll-back.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Rolls back to the newest block that we share with the node, in one transaction, and returns the new cursor. A solid block is
 * never left.
 *
 * @throws SolidContradictionError, ScanHaltedError or NotYetError if the node's chain leaves a solid block.
 */
export async function followFork(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, from }: { cursor: Cursor; from: number },
): Promise<Cursor> {
  const ancestor = await findAncestor(context, scanner, { cursor, from });
  if (ancestor.number === from) {
    context.log.warn(
      { event: "fork_withdrawn", block_number: from },
      "the node reported another block than ours and withdrew it",
    );
    return cursor;
  }
  const orphaned = await context.db.transaction((tx) =>
    rollBack(context, tx, { scanner, from: cursor, to: ancestor }),
  );
  scanner.afterCommit();
  scanner.following.verifying = verifiedUpTo(scanner.following.verifying, ancestor.number);
  context.metrics.forks.inc();
  reportDeposits(context, orphaned);
  context.log.warn(
    {
      event: "fork_followed",
      ancestor: ancestor.number,
      depth: cursor.number - ancestor.number,
      orphaned_deposits: orphaned.length,
    },
    "the chain forked; the scan continues from the common ancestor",
  );
  return { ...ancestor, solidNumber: cursor.solidNumber };
}

async function findAncestor(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, from }: { cursor: Cursor; from: number },
): Promise<ReadBlock> {
  for (let number = from; number >= cursor.solidNumber; number -= 1) {
    const theirs = await findTheirs(scanner, number);
    if (theirs.blockId === (await findOurId(context, scanner, { cursor, number }))) return theirs;
  }
  const { solidNumber: number } = cursor;
  const { following } = scanner;
  const { standing, failure } = await checkAgreement(context, scanner, {
    number,
    ourId: (await findOurId(context, scanner, { cursor, number })) ?? "",
    readId: async (node) => (await node.getBlock(number))?.header.id,
    standing: following.verifying.standing,
  });
  // Contradictions are counted over steps that fail.
  following.verifying = { ...following.verifying, standing };
  throw (
    failure ??
    new NotYetError(`a node's chain left ours at solid block ${number}; one that agrees is queried first now`)
  );
}

/** The nodes' block at a height. A lagging node fails over to the next. @throws NotYetError if all of them lack it. */
export async function findTheirs({ client }: Scanner, number: number): Promise<ReadBlock> {
  try {
    return await client.query(async (node) => {
      const block = await node.getBlock(number);
      if (block === undefined) throw new IncompleteBlockError(node.label, number);
      const { id, timeMs } = block.header;
      return { number, blockId: id, time: new Date(timeMs) };
    });
  } catch (error) {
    if (!(error instanceof IncompleteBlockError)) throw error;
    throw new NotYetError(`no node has block ${number}; they lag behind`);
  }
}

export async function findOurId(
  context: Context,
  scanner: Scanner,
  { cursor, number }: { cursor: Cursor; number: number },
): Promise<string | undefined> {
  if (number > cursor.number) return undefined;
  if (number === cursor.number) return cursor.blockId;
  return findBlockId(context.db, { network: scanner.network.name, number });
}
