import type { FoldedBlock } from "../chain/folded-block.ts";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { compareWithHead } from "../domain/head.ts";
import { learnAccepted } from "./accept-block.ts";
import { type Cursor, findCursor } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { findOurId, followFork } from "./follow-fork.ts";
import { followSolidity } from "./follow-solidity.ts";
import { findHalt } from "./halt-store.ts";
import { NotYetError } from "./not-yet-error.ts";
import { noteFork, noteLag } from "./note-nodes.ts";
import { pinAtStart } from "./pin-at-start.ts";
import { MIN_SOLID_LAG } from "./prove-solid.ts";
import { isAheadOfClock, latestProvenMs, proveTime } from "./prove-time.ts";
import { goOnAfterHalt } from "./resume-scan.ts";
import { scanBlocks } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";
import { ScanHaltedError } from "./solid-contradiction.ts";
import { startCursor } from "./start-cursor.ts";

/** Blocks of one step: so often it is looked at what is final and who may sign. 24 minutes, 18 rotations of witnesses. */
const MAX_BLOCKS_OF_STEP = 486;
/** The same while more is final than one look settles: nobody's money waits for the rest of the chain. */
const MAX_BLOCKS_WHILE_SETTLING = 12;
/** So long a step takes at most, but for the blocks that are under way: whoever stops the watcher waits for it. */
const MAX_STEP_MS = 3_000;
/** Of a run that is written together. */
const MAX_TRANSACTIONS_OF_RUN = 10_000;

/** Where a step of reading ended. `isBehind`: the nodes did not show what is above our cursor. */
type Reading = { readonly cursor: Cursor; readonly isForked: boolean; readonly isBehind?: true };

/**
 * One step of following the chain: reads what is new, then settles what has become final. Answers whether it is
 * worth looking again at once; never after a fork, so that nodes which alternate between two branches are asked no
 * faster than others.
 */
export async function scanChain(context: WatcherContext, scanner: Scanner): Promise<boolean> {
  await pinAtStart(context, scanner);
  const cursor = await takeCursor(context, scanner);
  const head = await scanner.client.getHeadBlock();
  context.metrics.headBlock.set(head.number);
  context.metrics.headBlockTime.set(head.timeMs / 1_000);
  scanner.memory.head = {
    number: head.number,
    timeMs: head.timeMs,
    seenMs: context.clock.monotonicMs(),
  };
  const {
    cursor: next,
    isForked,
    isBehind = false,
  } = await readNewBlocks(context, scanner, { cursor, head });
  noteLag(context, scanner, { isBehind, heights: { head: head.number, scanned: next.number } });
  context.metrics.scannedBlock.set(next.number);
  context.metrics.scannedBlockTime.set(next.time.getTime() / 1_000);
  scanner.memory.cursor = { ...next, epoch: scanner.lease.epoch };
  const isMoreFinal = await followSolidity(context, scanner, next);
  scanner.memory.contradictions = 0;
  return !isForked && (isMoreFinal || (next.number < head.number && next.number > cursor.number));
}

/**
 * Where the last step left the cursor, if that was ours; it is forgotten until this step has come to its end. Otherwise what is
 * kept says where it stands, and whether anything may be read.
 */
async function takeCursor(context: WatcherContext, scanner: Scanner): Promise<Cursor> {
  const { network, lease, memory } = scanner;
  const known = memory.cursor;
  memory.cursor = undefined;
  // Another holder may have resumed along another chain: what nodes said of the heights of this one says nothing of that.
  if (memory.epoch !== lease.epoch) memory.clearing = undefined;
  memory.epoch = lease.epoch;
  if (known?.epoch === lease.epoch) return known;
  await learnAccepted(context.db, scanner);
  const cursor = await findCursor(context.db, network.name);
  if (cursor === undefined) return startCursor(context, scanner);
  const halt = await findHalt(context.db, network.name);
  context.metrics.scanHalted.set(halt?.resumedAt === null ? 1 : 0);
  if (halt === undefined) return cursor;
  if (halt.resumedAt === null) throw new ScanHaltedError(halt);
  return goOnAfterHalt(context, scanner, cursor);
}

/**
 * Reads as far as the node's head lets us. Against our cursor that is one of five (`domain/head.ts`):
 *
 * - below what was final: no mere lag. Thrown, because a watcher that waits for such a node sees no payment and must
 *   say so; another one leads at the next look.
 * - behind: the node lags. Nothing to read.
 * - same: nothing to read.
 * - fork: back to the common ancestor.
 * - ahead: the next blocks are read in their order, each linked to the one before and later than it. One whose parent is
 *   not ours shows a fork too.
 */
async function readNewBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, head }: { cursor: Cursor; head: BlockHeader },
): Promise<Reading> {
  const { number } = head;
  const place = compareWithHead(cursor, head, await findOurId(context, scanner, { cursor, number }));
  switch (place) {
    case "below_final":
      scanner.client.passLead();
      throw new NotYetError(
        `the node's head ${number} lies below block ${cursor.solidNumber}, which was final; nothing is read until it catches up`,
      );
    case "behind":
      return { cursor, isForked: false, isBehind: true };
    case "same":
      return { cursor, isForked: false };
    case "fork":
      return backFrom(context, scanner, { cursor, from: number });
    case "ahead":
      return readAhead(context, scanner, { cursor, to: number }).catch(async (error: unknown) => {
        if (!isAheadOfClock(error) || !(await proveTime(context, scanner, cursor))) throw error;
        // The next look reads it: the proof may have taken as long as the lease holds.
        return { cursor, isForked: false };
      });
  }
}

/**
 * Reads the blocks above the cursor while the next are fetched. They are written in runs, as many together as have come:
 * of those that can be final by now some are waited for, and the newest are written as soon as they are there.
 */
async function readAhead(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, to }: { cursor: Cursor; to: number },
): Promise<Reading> {
  let current = cursor;
  let isForked = false;
  for await (const blocks of fetchBlocks(context, scanner, { cursor, to })) {
    const { linked, next } = follow(current, blocks);
    for (let left = linked; left.length > 0; left = left.filter(isAbove(current))) {
      current = await scanBlocks(context, scanner, { cursor: current, blocks: nextRun(left) });
      scanner.unread.over();
    }
    isForked = next === "fork";
    // What is too old the reader judges where it is the first block of a step, and says what is wrong.
    if (next !== undefined) break;
  }
  // Only now, with nothing under way: what it throws inside the loop nobody would take until all of that is there.
  if (isForked) return backFrom(context, scanner, { cursor: current, from: current.number });
  if (current === cursor) return { cursor, isForked: false, isBehind: true };
  return { cursor: current, isForked: false };
}

/**
 * Those of the blocks that follow the cursor's block, each the child of the one before and later than it, and what the first
 * of the others is: of a fork, or not later than its parent.
 */
function follow(
  cursor: Cursor,
  blocks: readonly FoldedBlock[],
): { linked: readonly FoldedBlock[]; next?: "fork" | "too old" } {
  let below = { id: cursor.blockId, timeMs: cursor.time.getTime() };
  for (const [place, { outline }] of blocks.entries()) {
    const { header } = outline;
    const linked = blocks.slice(0, place);
    if (header.parentId !== below.id) return { linked, next: "fork" };
    if (header.timeMs <= below.timeMs) return { linked, next: "too old" };
    below = header;
  }
  return { linked: blocks };
}

const isAbove =
  ({ number }: Cursor) =>
  ({ outline }: FoldedBlock): boolean =>
    outline.header.number > number;

/** What is read together: all that has come, as far as one transaction may hold it; one block at least. */
function nextRun(blocks: readonly FoldedBlock[]): readonly FoldedBlock[] {
  let transactions = 0;
  const end = blocks.findIndex((block) => {
    transactions += block.outline.transactionCount;
    return transactions > MAX_TRANSACTIONS_OF_RUN;
  });
  return end === -1 ? blocks : blocks.slice(0, Math.max(1, end));
}

async function backFrom(
  context: WatcherContext,
  scanner: Scanner,
  fork: { cursor: Cursor; from: number },
): Promise<Reading> {
  noteFork(context, scanner, fork.cursor);
  const cursor = await followFork(context, scanner, fork);
  // A fork that the node took back has not let reading go on.
  if (cursor.blockId !== fork.cursor.blockId) scanner.unread.over();
  return { cursor, isForked: true };
}

/**
 * The blocks of this step, in their order, as they come; up to the first that cannot be had. That a node lacks a block below
 * the head that another one behind the same name has shown is its normal answer.
 */
async function* fetchBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, to }: { cursor: Cursor; to: number },
): AsyncGenerator<readonly FoldedBlock[]> {
  const { number, blockId: id, time } = cursor;
  const isSettled = scanner.memory.settledAt === id;
  const untilMs = context.clock.monotonicMs() + MAX_STEP_MS;
  try {
    yield* fetchAhead(scanner, {
      from: number + 1,
      parent: { id, timeMs: time.getTime() },
      to: Math.min(to, number + (isSettled ? MAX_BLOCKS_OF_STEP : MAX_BLOCKS_WHILE_SETTLING)),
      oldTo: to - MIN_SOLID_LAG,
      latestMs: latestProvenMs(context, scanner),
      isEnough: () => context.clock.monotonicMs() > untilMs,
    });
  } catch (error) {
    if (!noteUnread(scanner, number + 1, error)) throw error;
  }
}

/** Whether the block is merely not there yet. */
function noteUnread({ unread, client }: Scanner, number: number, failure: unknown): boolean {
  if (failure instanceof NodeError && failure.fault !== "ahead_of_clock")
    unread.note(number, failure, client.nodes);
  return failure instanceof IncompleteBlockError && failure.reason === undefined;
}
