import type { Context } from "../context.ts";
import type { CompleteBlock } from "../tron/complete-block.ts";
import type { BlockHeader } from "../tron/parse-block.ts";
import { type Cursor, loadCursor } from "./block-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { failDeposits } from "./fail-deposits.ts";
import { followFork } from "./follow-fork.ts";
import { scanBlock } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";
import { startCursor } from "./start-cursor.ts";

/** Blocks fetched side by side when far behind; bounds both the memory and the time between two lease renewals. */
const MAX_BLOCKS_AT_ONCE = 12;

/**
 * One step of following the chain: reads what is new, then confirms what has become final. Answers whether it is
 * worth looking again at once. Against our cursor the node's head is one of four:
 *
 * - behind: a lower number. A lagging or balanced node; nothing to read, and never a fork by itself. Below what was
 *   final it is no mere lag: thrown, because a watcher that waits for such a node sees no payment and must say so.
 * - same: our block. Nothing to read.
 * - fork: our number with another hash, or a next block whose parent is not ours. Back to the common ancestor.
 * - ahead: the next blocks are read one by one, each linked to the one before.
 */
export async function scanChain(context: Context, scanner: Scanner): Promise<boolean> {
  const cursor =
    (await loadCursor(context.db, scanner.network.name)) ?? (await startCursor(context, scanner));
  const head = await scanner.client.getHeadBlock();
  context.metrics.headBlock.set(head.number);
  const next = await readNewBlocks(context, scanner, { cursor, head });
  const isMoreFinal = await confirmDeposits(context, scanner, next);
  await failDeposits(context, scanner, next);
  return isMoreFinal || (next.number < head.number && next.blockId !== cursor.blockId);
}

async function readNewBlocks(
  context: Context,
  scanner: Scanner,
  { cursor, head }: { cursor: Cursor; head: BlockHeader },
): Promise<Cursor> {
  if (head.number < cursor.solidNumber) {
    throw new Error(
      `the node's head ${head.number} lies below block ${cursor.solidNumber}, which was final; nothing is read until it catches up`,
    );
  }
  if (head.number < cursor.number || head.id === cursor.blockId) return cursor;
  if (head.number === cursor.number) return followFork(context, scanner, cursor);
  let current = cursor;
  for await (const block of fetchBlocks(scanner, cursor.number + 1, head.number)) {
    if (block.header.parentId !== current.blockId) return followFork(context, scanner, current);
    current = await scanBlock(context, scanner, { cursor: current, block });
  }
  return current;
}

/** Fetches a run of blocks side by side and gives them in order, up to the first that cannot be had. */
async function* fetchBlocks(scanner: Scanner, from: number, to: number): AsyncGenerator<CompleteBlock> {
  const count = Math.min(to - from + 1, MAX_BLOCKS_AT_ONCE);
  const numbers = Array.from({ length: count }, (_, offset) => from + offset);
  const results = await Promise.allSettled(
    numbers.map((number) => scanner.client.fetchCompleteBlock(number)),
  );
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") yield result.value;
    else if (index === 0) throw result.reason;
    else return;
  }
}
