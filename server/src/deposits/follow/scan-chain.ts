import type { LazyBlock } from "../../chain/blocks/lazy-block.ts";
import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { BlockHeader } from "../../chain/blocks/parse-block.ts";
import { compareWithHead } from "../../domain/head.ts";
import { loadOverrides } from "../accept-block.ts";
import { type Cursor, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { finalize } from "../verify/finalize.ts";
import { findHalt } from "../verify/halt-store.ts";
import { ScanHaltedError } from "../verify/solid-contradiction.ts";
import { MIN_SOLID_LAG } from "../verify/solid-height.ts";
import { forgetVerified } from "../verify/state.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { findOurId, followFork } from "./follow-fork.ts";
import { reportFork, reportLag } from "./report-nodes.ts";
import { goOnAfterHalt } from "./resume-scan.ts";
import { scanBlocks } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";
import { startCursor } from "./start-cursor.ts";

/** Blocks of one step: so often it is looked at what is final. 24 minutes, 18 rotations of witnesses. */
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
  const cursor = await takeCursor(context, scanner);
  const head = isNextDue(context, scanner, cursor) ? undefined : await fetchHead(context, scanner);
  const {
    cursor: next,
    isForked,
    isBehind = false,
  } = head === undefined
    ? await readAhead(context, scanner, { cursor, to: cursor.number + 1 })
    : await readNewBlocks(context, scanner, { cursor, head });
  const headNumber = head?.number ?? next.number;
  if (head === undefined) noteNext(context, scanner, { cursor, next });
  reportLag(context, scanner, {
    isBehind: head !== undefined && isBehind,
    heights: { head: headNumber, scanned: next.number },
  });
  context.metrics.scannedBlock.set(next.number);
  context.metrics.scannedBlockTime.set(next.time.getTime() / 1_000);
  const { isMoreWaiting: isMoreFinal, isWritten } = await finalize(context, scanner, next);
  if (!isWritten) scanner.following.cursor = { ...next, epoch: scanner.lease.epoch };
  // Of several nodes the look that asks for them knows.
  if (answersNeeded(context.config.deposits, scanner.client.nodes.length) === 1)
    scanner.verifying.contradictions = undefined;
  const isMoreRead = next.number > cursor.number && (next.number < headNumber || isLate(context, next));
  return !isForked && (isMoreFinal || isMoreRead);
}

/** After so long without a new block the nodes are asked for their heads. */
const STALLED_AFTER_MS = 9_000;
/** A newest block that is older than this when it is read has a child already, where blocks come every three seconds. */
const LATE_AFTER_MS = 4_500;

/**
 * At the tip of a network whose blocks come at a pace the next block is asked for by its number, which spares the call for the
 * head. Where it does not come in time the nodes are asked for their heads, which are compared.
 */
function isNextDue(
  { clock }: WatcherContext,
  { network, following: { head } }: Scanner,
  cursor: Cursor,
): boolean {
  if (network.name === "devnet" || head?.number !== cursor.number) return false;
  const isOld = clock.now().getTime() - cursor.time.getTime() > STALLED_AFTER_MS;
  return !isOld && clock.monotonicMs() - head.sinceMs < STALLED_AFTER_MS;
}

function isLate({ clock, config }: WatcherContext, { time }: Cursor): boolean {
  return config.chain.network !== "devnet" && clock.now().getTime() - time.getTime() > LATE_AFTER_MS;
}

async function fetchHead(context: WatcherContext, scanner: Scanner): Promise<BlockHeader> {
  const head = await scanner.client.getHeadBlock();
  noteHead(context, scanner, head);
  return head;
}

/** A block that was asked for by its number is the newest; one that is not there yet is nothing to complain of. */
function noteNext(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, next }: { cursor: Cursor; next: Cursor },
): void {
  if (next.number === cursor.number) scanner.following.unread.over();
  else noteHead(context, scanner, { number: next.number, timeMs: next.time.getTime() });
}

/** The newest block that a node has shown. */
function noteHead(
  { clock, metrics }: WatcherContext,
  { following }: Scanner,
  { number, timeMs }: Pick<BlockHeader, "number" | "timeMs">,
): void {
  const seenMs = clock.monotonicMs();
  metrics.headBlock.set(number);
  metrics.headBlockTime.set(timeMs / 1_000);
  const sinceMs = following.head?.number === number ? following.head.sinceMs : seenMs;
  following.head = { number, timeMs, seenMs, sinceMs };
}

/**
 * Where the last step left the cursor, if that was ours; it is forgotten until this step has come to its end. Otherwise what is
 * kept says where it stands, and whether anything may be read.
 */
async function takeCursor(context: WatcherContext, scanner: Scanner): Promise<Cursor> {
  const { network, lease, following } = scanner;
  const known = following.cursor;
  following.cursor = undefined;
  // Another holder may have resumed along another chain: what nodes said of the heights of this one says nothing of that.
  if (following.epoch !== lease.epoch) forgetVerified(scanner.verifying);
  following.epoch = lease.epoch;
  if (known?.epoch === lease.epoch) return known;
  await loadOverrides(context.db, scanner);
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
  const position = compareWithHead(cursor, head, await findOurId(context, scanner, { cursor, number }));
  switch (position) {
    case "below_final":
      scanner.client.demoteLead();
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
      return readAhead(context, scanner, { cursor, to: number });
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
      scanner.following.unread.over();
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
  blocks: readonly LazyBlock[],
): { linked: readonly LazyBlock[]; next?: "fork" | "too old" } {
  let below = { id: cursor.blockId, timeMs: cursor.time.getTime() };
  for (const [position, { summary }] of blocks.entries()) {
    const { header } = summary;
    const linked = blocks.slice(0, position);
    if (header.parentId !== below.id) return { linked, next: "fork" };
    if (header.timeMs <= below.timeMs) return { linked, next: "too old" };
    below = header;
  }
  return { linked: blocks };
}

const isAbove =
  ({ number }: Cursor) =>
  ({ summary }: LazyBlock): boolean =>
    summary.header.number > number;

/** What is read together: all that has come, as far as one transaction may hold it; one block at least. */
function nextRun(blocks: readonly LazyBlock[]): readonly LazyBlock[] {
  let transactions = 0;
  const end = blocks.findIndex((block) => {
    transactions += block.summary.transactionCount;
    return transactions > MAX_TRANSACTIONS_OF_RUN;
  });
  return end === -1 ? blocks : blocks.slice(0, Math.max(1, end));
}

async function backFrom(
  context: WatcherContext,
  scanner: Scanner,
  fork: { cursor: Cursor; from: number },
): Promise<Reading> {
  reportFork(context, scanner, fork.cursor);
  const cursor = await followFork(context, scanner, fork);
  // A fork that the node took back has not let reading go on.
  if (cursor.blockId !== fork.cursor.blockId) scanner.following.unread.over();
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
): AsyncGenerator<readonly LazyBlock[]> {
  const { number, blockId: id, time } = cursor;
  const isSettled = scanner.verifying.settledAt === id;
  const untilMs = context.clock.monotonicMs() + MAX_STEP_MS;
  try {
    yield* fetchAhead(scanner, {
      from: number + 1,
      parent: { id, timeMs: time.getTime() },
      to: Math.min(to, number + (isSettled ? MAX_BLOCKS_OF_STEP : MAX_BLOCKS_WHILE_SETTLING)),
      oldTo: to - MIN_SOLID_LAG,
      isEnough: () => context.clock.monotonicMs() > untilMs,
    });
  } catch (error) {
    if (!reportStalled(scanner, number + 1, error)) throw error;
  }
}

/** Whether the block is merely not there yet. */
function reportStalled(
  { following: { unread }, client }: Scanner,
  number: number,
  failure: unknown,
): boolean {
  const isMissing = failure instanceof IncompleteBlockError && failure.reason === undefined;
  if (failure instanceof NodeError && failure.fault !== "ahead_of_clock")
    unread.note(number, failure, client.nodes);
  return isMissing;
}
