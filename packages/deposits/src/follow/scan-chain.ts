import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import { compareWithHead } from "@daric/domain/head";
import { loadOverrides } from "../accept-block.ts";
import { type Cursor, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { finalize } from "../verify/finalize.ts";
import { findHalt } from "../verify/halt-store.ts";
import { ScanHaltedError } from "../verify/solid-contradiction.ts";
import { MIN_SOLID_LAG } from "../verify/solid-height.ts";
import { createVerifyState, type VerifyState } from "../verify/state.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { findOurId, followFork } from "./follow-fork.ts";
import { reportFork, reportLag } from "./report-nodes.ts";
import { continueAfterHalt } from "./resume-scan.ts";
import { scanBlocks } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";
import { startCursor } from "./start-cursor.ts";

/** The most blocks per step, between two checks for final deposits: 24 minutes of the chain. */
const MAX_BLOCKS_OF_STEP = 486;
/** The same while one check cannot settle all final deposits, so that they do not wait for the rest of the chain. */
const MAX_BLOCKS_WHILE_SETTLING = 12;
/** The longest step, besides running fetches: a stopping process waits for it. */
const MAX_STEP_MS = 3_000;
/** The most transactions of blocks that are written together. */
const MAX_TRANSACTIONS_OF_RUN = 10_000;

/** The result of reading. `isBehind`: the nodes did not have the blocks above our cursor. */
type Reading = { readonly cursor: Cursor; readonly isForked: boolean; readonly isBehind?: true };

/**
 * One step of following the chain: reads new blocks, then settles final deposits. Returns whether another step should follow at
 * once. After a fork it should not, so that nodes which alternate between two branches cause no busy loop.
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
  if (head === undefined) observeNext(context, scanner, { cursor, next });
  reportLag(context, scanner, {
    isBehind: head !== undefined && isBehind,
    heights: { head: headNumber, scanned: next.number },
  });
  context.metrics.scannedBlock.set(next.number);
  context.metrics.scannedBlockTime.set(next.time.getTime() / 1_000);
  const { following } = scanner;
  const finalized = await finalize(context, scanner, { cursor: next, state: following.verifying });
  following.verifying = afterReading(context, scanner, finalized.state);
  if (!finalized.isWritten) following.cursor = { ...next, epoch: scanner.lease.epoch };
  const isMoreRead = next.number > cursor.number && (next.number < headNumber || isLate(context, next));
  return !isForked && (finalized.isMoreWaiting || isMoreRead);
}

/** A single node that was read contradicts us no more. With several nodes, the comparison of their answers decides instead. */
function afterReading({ config }: WatcherContext, { client }: Scanner, state: VerifyState): VerifyState {
  if (answersNeeded(config.deposits, client.nodes.length) > 1) return state;
  return { ...state, standing: { ...state.standing, contradictions: undefined } };
}

/** After this time without a new block the nodes' heads are fetched and compared. */
const STALLED_AFTER_MS = 9_000;
/** A newest block older than this already has a child at the public pace of three seconds. */
const LATE_AFTER_MS = 4_500;

/** At the tip the next block is fetched by its number, which spares the call for the head, unless it is overdue. */
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
  observeHead(context, scanner, head);
  return head;
}

/** Notes the block after the cursor as the head. It is no fault if the block does not exist yet. */
function observeNext(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, next }: { cursor: Cursor; next: Cursor },
): void {
  if (next.number === cursor.number) scanner.following.stalled.clear();
  else observeHead(context, scanner, { number: next.number, timeMs: next.time.getTime() });
}

function observeHead(
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

/** The cursor of the last step under this lease, or else the stored one. It is forgotten until the step has succeeded. */
async function takeCursor(context: WatcherContext, scanner: Scanner): Promise<Cursor> {
  const { network, lease, following } = scanner;
  const known = following.cursor;
  following.cursor = undefined;
  // Another watcher may have followed another chain in the meantime.
  if (following.epoch !== lease.epoch) following.verifying = createVerifyState();
  following.epoch = lease.epoch;
  if (known?.epoch === lease.epoch) return known;
  await loadOverrides(context.db, scanner);
  const cursor = await findCursor(context.db, network.name);
  if (cursor === undefined) return startCursor(context, scanner);
  const halt = await findHalt(context.db, network.name);
  context.metrics.scanHalted.set(halt?.resumedAt === null ? 1 : 0);
  if (halt === undefined) return cursor;
  if (halt.resumedAt === null) throw new ScanHaltedError(halt);
  return continueAfterHalt(context, scanner, cursor);
}

/** Reads as far as the node's head allows, by its position relative to our cursor (see {@link compareWithHead}). */
async function readNewBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, head }: { cursor: Cursor; head: BlockHeader },
): Promise<Reading> {
  const { number } = head;
  const position = compareWithHead(cursor, head, await findOurId(context, scanner, { cursor, number }));
  switch (position) {
    case "below_final":
      // A watcher that waits for such a node would see no payment, so it must fail.
      scanner.client.demoteLead();
      throw new NotYetError(
        `the node's head ${number} lies below block ${cursor.solidNumber}, which was final; nothing is read until it catches up`,
      );
    case "behind":
      return { cursor, isForked: false, isBehind: true };
    case "same":
      return { cursor, isForked: false };
    case "fork":
      return reportAndFollowFork(context, scanner, { cursor, from: number });
    case "ahead":
      return readAhead(context, scanner, { cursor, to: number });
  }
}

/** Reads the blocks above the cursor while the next ones are fetched, and writes together those that have arrived. */
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
      scanner.following.stalled.clear();
    }
    isForked = next === "fork";
    // The next step reads the faulty block first, and reports it.
    if (next !== undefined) break;
  }
  // An error inside the loop would wait for running fetches, so the fork is handled after it.
  if (isForked) return reportAndFollowFork(context, scanner, { cursor: current, from: current.number });
  if (current === cursor) return { cursor, isForked: false, isBehind: true };
  return { cursor: current, isForked: false };
}

/** The blocks that follow the cursor, each a later child of the one before, and the fault of the next one. */
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

/** As many blocks as one transaction may hold, at least one. */
function nextRun(blocks: readonly LazyBlock[]): readonly LazyBlock[] {
  let transactions = 0;
  const end = blocks.findIndex((block) => {
    transactions += block.summary.transactionCount;
    return transactions > MAX_TRANSACTIONS_OF_RUN;
  });
  return end === -1 ? blocks : blocks.slice(0, Math.max(1, end));
}

async function reportAndFollowFork(
  context: WatcherContext,
  scanner: Scanner,
  fork: { cursor: Cursor; from: number },
): Promise<Reading> {
  reportFork(context, scanner, fork.cursor);
  const cursor = await followFork(context, scanner, fork);
  // If the node took its block back, reading has not advanced.
  if (cursor.blockId !== fork.cursor.blockId) scanner.following.stalled.clear();
  return { cursor, isForked: true };
}

/** The blocks of this step in order, up to the first one that fails. A gateway's nodes may lack a block below the head. */
async function* fetchBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, to }: { cursor: Cursor; to: number },
): AsyncGenerator<readonly LazyBlock[]> {
  const { number, blockId: id, time } = cursor;
  const isSettled = scanner.following.verifying.settledAt === id;
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

function reportStalled(
  { following: { stalled }, client }: Scanner,
  number: number,
  failure: unknown,
): boolean {
  const isMissing = failure instanceof IncompleteBlockError && failure.reason === undefined;
  if (failure instanceof NodeError && failure.fault !== "ahead_of_clock")
    stalled.recordFailure(number, failure, client.nodes);
  return isMissing;
}
