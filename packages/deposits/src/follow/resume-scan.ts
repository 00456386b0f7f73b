import type { Queryable } from "@daric/postgres/sql";
import { type Cursor, findFirstNumber, lowerSolid, type ReadBlock } from "../block-store.ts";
import type { Context, WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { reportDeposits } from "../report-deposits.ts";
import { endHalt, findHalt, type Halt, markResumed } from "../verify/halt-store.ts";
import { createVerifyState } from "../verify/state.ts";
import { findOurId, findTheirs } from "./follow-fork.ts";
import { rollBack } from "./roll-back.ts";
import type { Scanner } from "./scanner.ts";

/** Marks a halt as resumed. The watcher then continues on the nodes' chain. Returns the halt, if there was one. */
export async function resumeScan(db: Queryable, network: string): Promise<Halt | undefined> {
  const halt = await findHalt(db, network);
  if (halt !== undefined) await markResumed(db, network);
  return halt;
}

/**
 * Rolls back to the newest block that we share with the nodes, however deep, and ends the halt in the same transaction. CONFIRMED
 * deposits stay. Returns the new cursor.
 */
export async function continueAfterHalt(
  context: WatcherContext,
  scanner: Scanner,
  cursor: Cursor,
): Promise<Cursor> {
  const network = scanner.network.name;
  const ancestor = await findDeepAncestor(context, scanner, cursor);
  const solidNumber = Math.min(cursor.solidNumber, ancestor.number);
  const orphaned = await context.db.transaction(async (tx) => {
    await lowerSolid(tx, { network, number: solidNumber });
    await endHalt(tx, { network, ancestor: ancestor.number });
    return rollBack(context, tx, { scanner, from: cursor, to: ancestor });
  });
  scanner.afterCommit();
  scanner.following.verifying = createVerifyState();
  reportDeposits(context, orphaned);
  context.log.warn(
    {
      event: "scan_resumed",
      ancestor: ancestor.number,
      depth: cursor.number - ancestor.number,
      was_solid: cursor.solidNumber,
      orphaned_deposits: orphaned.length,
    },
    "an operator resumed the scan; it follows the chain of the nodes, and confirmed deposits stay confirmed",
  );
  return { ...ancestor, solidNumber };
}

/** Searches by doubling steps back and then by halving, in a few calls at any depth. */
async function findDeepAncestor(context: Context, scanner: Scanner, cursor: Cursor): Promise<ReadBlock> {
  const first = (await findFirstNumber(context.db, scanner.network.name)) ?? cursor.number + 1;
  const at = async (number: number) => {
    const block = await findTheirs(scanner, number);
    return { block, isShared: block.blockId === (await findOurId(context, scanner, { cursor, number })) };
  };
  const head = await scanner.client.getHeadBlock();
  let high = Math.min(cursor.number, head.number) + 1;
  let found = await at(high - 1);
  for (let step = 1; !found.isShared; step *= 2) {
    high = found.block.number;
    if (high < first)
      throw new NotYetError(
        `the nodes share no block with ours, not even ${high}: are they of another chain, or this database of one?`,
      );
    found = await at(Math.max(first - 1, high - step));
  }
  while (high - found.block.number > 1) {
    const middle = await at(Math.floor((found.block.number + high) / 2));
    if (middle.isShared) found = middle;
    else high = middle.block.number;
  }
  return found.block;
}
