import type { ChainReader } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import type { Context } from "../context.ts";
import { type Cursor, findBlockId, loadCursor } from "./block-store.ts";
import { followFork } from "./follow-fork.ts";
import { followSolidity } from "./follow-solidity.ts";
import { scanBlock } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";
import { startCursor } from "./start-cursor.ts";

/** Blocks fetched side by side when far behind; bounds both the memory and the time between two lease renewals. */
const MAX_BLOCKS_AT_ONCE = 12;

/** Readers that were said to lag and have not caught up since: it is said once. */
const lagging = new WeakSet<ChainReader>();

/** Where a step of reading ended. */
type Reading = { readonly cursor: Cursor; readonly isForked: boolean };

/**
 * One step of following the chain: reads what is new, then settles what has become final. Answers whether it is
 * worth looking again at once; never after a fork, so that nodes which alternate between two branches are asked no
 * faster than others. Against our cursor the node's head is one of four:
 *
 * - same: our block. Nothing to read.
 * - behind: a lower number, and our block of that height. The node lags; nothing to read. Below what was final it is
 *   no mere lag: thrown, because a watcher that waits for such a node sees no payment and must say so.
 * - fork: another block than ours at its height, or a next block whose parent is not ours. Back to the common ancestor.
 * - ahead: the next blocks are read one by one, each linked to the one before and later than it.
 */
export async function scanChain(context: Context, scanner: Scanner): Promise<boolean> {
  const cursor =
    (await loadCursor(context.db, scanner.network.name)) ?? (await startCursor(context, scanner));
  const head = await scanner.client.getHeadBlock();
  context.metrics.headBlock.set(head.number);
  const { cursor: next, isForked } = await readNewBlocks(context, scanner, { cursor, head });
  const isMoreFinal = await followSolidity(context, scanner, next);
  return !isForked && (isMoreFinal || (next.number < head.number && next.number > cursor.number));
}

async function readNewBlocks(
  context: Context,
  scanner: Scanner,
  { cursor, head }: { cursor: Cursor; head: BlockHeader },
): Promise<Reading> {
  if (head.number < cursor.solidNumber) {
    throw new Error(
      `the node's head ${head.number} lies below block ${cursor.solidNumber}, which was final; nothing is read until it catches up`,
    );
  }
  if (head.number < cursor.number) return compareLowerHead(context, scanner, { cursor, head });
  lagging.delete(scanner.client);
  if (head.id === cursor.blockId) return { cursor, isForked: false };
  if (head.number === cursor.number) return backFrom(context, scanner, cursor, head.number);
  let current = cursor;
  for await (const block of fetchBlocks(scanner, cursor, head.number)) {
    if (block.header.parentId !== current.blockId) {
      return backFrom(context, scanner, current, current.number);
    }
    // Of the first block of a run the reader judges this, and says what is wrong.
    if (block.header.timeMs <= current.time.getTime()) break;
    current = await scanBlock(context, scanner, { cursor: current, block });
  }
  return { cursor: current, isForked: false };
}

async function backFrom(context: Context, scanner: Scanner, cursor: Cursor, from: number): Promise<Reading> {
  return { cursor: await followFork(context, scanner, { cursor, from }), isForked: true };
}

/** A head below our cursor is a node that lags where we have its block too, and else a fork. */
async function compareLowerHead(
  context: Context,
  scanner: Scanner,
  { cursor, head }: { cursor: Cursor; head: BlockHeader },
): Promise<Reading> {
  const ours = await findBlockId(context.db, { network: scanner.network.name, number: head.number });
  if (ours !== head.id) {
    return backFrom(context, scanner, cursor, head.number);
  }
  if (!lagging.has(scanner.client)) {
    lagging.add(scanner.client);
    context.log.warn(
      { head: head.number, scanned: cursor.number },
      "the node's head lies below what was read; nothing is read until it catches up",
    );
  }
  return { cursor, isForked: false };
}

/** Fetches the run of blocks above the cursor side by side and gives them in order, up to the first that cannot be had. */
async function* fetchBlocks(scanner: Scanner, cursor: Cursor, to: number): AsyncGenerator<CompleteBlock> {
  const count = Math.min(to - cursor.number, MAX_BLOCKS_AT_ONCE);
  const parent = { id: cursor.blockId, timeMs: cursor.time.getTime() };
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, offset) =>
      scanner.client.fetchCompleteBlock(cursor.number + 1 + offset, offset === 0 ? parent : undefined),
    ),
  );
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") yield result.value;
    else if (index === 0) throw result.reason;
    else return;
  }
}
