import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";
import { assertLease } from "../runtime/lease.ts";
import { type Cursor, findBlockId, moveCursor, orphanBlocksAbove } from "./block-store.ts";
import { reportDeposits } from "./report-deposits.ts";
import type { Scanner } from "./scanner.ts";
import { transitionDeposits } from "./store.ts";

/**
 * Thrown when the node's chain leaves ours at or below a block that was solid: a healthy chain cannot do that. The
 * scanner writes nothing and asks again, until the node agrees with what was final; what is confirmed stays so.
 */
export class SolidContradictionError extends Error {
  override readonly name = "SolidContradictionError";
}

/**
 * Walks back from the cursor to the newest block that both we and the node have, takes our blocks above it out of the
 * chain and their open deposits to REORG_PENDING, and puts the cursor on it, in one transaction. Answers the new cursor.
 */
export async function followFork(context: Context, scanner: Scanner, cursor: Cursor): Promise<Cursor> {
  const { network, lease } = scanner;
  const ancestor = await findAncestor(context, scanner, cursor);
  const scope = { network: network.name, epoch: lease.epoch };
  const orphaned = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await orphanBlocksAbove(tx, { network: network.name, number: ancestor.number });
    await moveCursor(tx, { network: network.name, from: cursor, to: ancestor, epoch: lease.epoch });
    return transitionDeposits(tx, scope, {
      event: "orphaned",
      where: sql`d.block_number > ${ancestor.number}`,
    });
  });
  context.metrics.forks.inc();
  reportDeposits(context, orphaned);
  context.log.warn(
    {
      ancestor: ancestor.number,
      depth: cursor.number - ancestor.number,
      orphaned_deposits: orphaned.length,
    },
    "the chain forked; reading goes on from the common ancestor",
  );
  return ancestor;
}

async function findAncestor(context: Context, scanner: Scanner, cursor: Cursor): Promise<Cursor> {
  for (let number = cursor.number; number >= cursor.solidNumber; number -= 1) {
    const block = await scanner.client.getBlock(number);
    // A lagging node that lacks the block proves nothing: ask again later.
    if (block === undefined) throw new Error(`the node has no block ${number}; it lags behind`);
    if (block.header.id === (await ourBlockId(context, scanner, { cursor, number }))) {
      const { id: blockId, timeMs } = block.header;
      return { number, blockId, time: new Date(timeMs), solidNumber: cursor.solidNumber };
    }
  }
  throw new SolidContradictionError(
    `the node's chain differs from ours at solid block ${cursor.solidNumber}; nothing is read until they agree`,
  );
}

async function ourBlockId(
  context: Context,
  scanner: Scanner,
  { cursor, number }: { cursor: Cursor; number: number },
): Promise<string | undefined> {
  if (number === cursor.number) return cursor.blockId;
  return findBlockId(context.db, { network: scanner.network.name, number });
}
