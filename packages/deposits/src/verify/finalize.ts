import { hasChargesToExpire, markExpired } from "@daric/charges/close/close-charges";
import { depositMachine } from "@daric/domain/deposit";
import type { Transaction } from "@daric/postgres/sql";
import { hasTransferToEnd } from "@daric/refunds/transfer-store";
import { assertLease } from "@daric/runtime/lease";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { type Cursor, findBlock, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findOpenGroups, findWaiting } from "../open-store.ts";
import { reportUnexplained } from "../record/report-outflows.ts";
import { reportDeposits } from "../report-deposits.ts";
import { hasDepositsToFail } from "../status-store.ts";
import { nodesWithoutInternals } from "./answer-cache.ts";
import { completeRefunds } from "./complete-refunds.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { reportCorrection, reportNodes } from "./report-verified.ts";
import type { VerifyState } from "./state.ts";
import type { Verifier } from "./verifier.ts";
import { findDueBlocks, verifyBlocks } from "./verify-blocks.ts";
import { type Verified, type Written, writeFinal } from "./write-final.ts";
import type { Correction } from "./write-verified.ts";

/** After this many blocks without effects the verified height is written, because no fork may go below it. */
const MAX_BLOCKS_UNWRITTEN = 40;

type Finalized = {
  readonly isMoreWaiting: boolean;
  readonly isWritten: boolean;
  readonly state: VerifyState;
};

/**
 * Verifies solid blocks by a second reading. One transaction corrects the deposits of one block. Without a correction it accounts for
 * outflows, fails and confirms deposits, and expires and archives charges by the time of the newest verified block. Another then
 * confirms late deposits, so that an order's events keep the chain's order. Each transaction has a bounded number of rows.
 */
export async function finalize(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, state }: { readonly cursor: Cursor; readonly state: VerifyState },
): Promise<Finalized> {
  if (state.settledAt === cursor.blockId) return { isMoreWaiting: false, isWritten: false, state };
  const due = await context.db.transaction((tx) =>
    findDueBlocks(context, verifier, { tx, cursor, known: state }),
  );
  const { solid } = due;
  const verification = await verifyBlocks(context, verifier, { cursor, due, known: state });
  const { isMore, upTo } = verification;
  const verified = upTo ?? (await findVerified(context, verifier, cursor));
  const settledAt = !isMore && (upTo?.number ?? 0) >= solid ? cursor.blockId : state.settledAt;
  const reporting = (): VerifyState => {
    const withoutInternals = nodesWithoutInternals(state.answers, verifier);
    const reported = reportNodes(context, state.reported, { blocks: verification.blocks, withoutInternals });
    return { ...state, ...verification.learnt, reported };
  };
  if (!(await isWorthWriting(context, verifier, { cursor, solid, verified, verification })))
    return { isMoreWaiting: isMore, isWritten: false, state: { ...reporting(), upTo, settledAt } };
  const written = await write(context, verifier, { cursor, solid, verified, verification });
  verifier.afterCommit();
  const { correction, changed } = written;
  const next = { ...reporting(), upTo: written.verified };
  if (correction !== undefined)
    return { isMoreWaiting: true, isWritten: true, state: correctedBy(context, next, correction) };
  const late = written.isMoreWaiting
    ? undefined
    : await confirmLate(context, verifier, { cursor, verified: written.verified });
  if (late !== undefined) verifier.afterCommit();
  changed.push(...(late?.deposits ?? []));
  const hasMoreRefunds = await finishRefunds(context, verifier, written.verified);
  const isMoreWaiting = written.isMoreWaiting || late?.isMoreWaiting === true || hasMoreRefunds;
  await markExpired(context.db, { chainTime: written.verified.time });
  showVerified(context, written.verified);
  reportDeposits(context, changed);
  reportUnexplained(context, written.unswept);
  const settled = isMoreWaiting ? next : { ...next, settledAt };
  return { isMoreWaiting: isMoreWaiting || isMore, isWritten: true, state: settled };
}

/** The next step checks the corrected balances, and the blocks after this one. */
function correctedBy(context: WatcherContext, state: VerifyState, correction: Correction): VerifyState {
  const liar = reportCorrection(context, correction);
  const outvoted = new Map(state.reported.outvoted);
  if (liar !== undefined) outvoted.set(liar.node, liar);
  state.answers.doubted.delete(correction.verified.block.blockId);
  return {
    ...state,
    retries: { ...state.retries, dueAt: 0 },
    reported: { ...state.reported, outvoted },
  };
}

export function showVerified(
  { metrics }: Pick<WatcherContext, "metrics">,
  { number, time }: Pick<ReadBlock, "number" | "time">,
): void {
  metrics.solidBlock.set(number);
  metrics.solidBlockTime.set(time.getTime() / 1_000);
}

/** Stands for a block below the first one that we read: it has no deposits, and no charge has expired by its time. */
const UNREAD = { blockId: "", time: new Date(0) } as const;

async function findVerified(
  { db }: WatcherContext,
  { network }: Verifier,
  { solidNumber: number }: Cursor,
): Promise<ReadBlock> {
  return (await findBlock(db, { network: network.name, number })) ?? { ...UNREAD, number };
}

/** Most blocks have no effect, and nothing to write. */
async function isWorthWriting(
  context: WatcherContext,
  verifier: Verifier,
  found: Verified,
): Promise<boolean> {
  const { cursor, verified, verification } = found;
  if (verification.blocks.length > 0 || verified.number - cursor.solidNumber > MAX_BLOCKS_UNWRITTEN)
    return true;
  return context.db.transaction((tx) => hasEffects(context, verifier, { ...found, tx }));
}

async function hasEffects(
  context: WatcherContext,
  { network }: Verifier,
  { tx, cursor, solid, verified }: Verified & { readonly tx: Transaction },
): Promise<boolean> {
  const { hasUnconfirmed, hasOrphaned, hasUnaccounted, nextTime } = await findWaiting(tx, {
    network: network.name,
    solid,
    verified: verified.number,
  });
  const { droppedAfterMs, stuckAfterMs } = context.config.deposits;
  // A deposit may wait for solidity in a block that should have been solid long ago.
  const isStalled = nextTime !== undefined && cursor.time.getTime() - nextTime.getTime() > stuckAfterMs;
  return (
    hasUnconfirmed ||
    hasUnaccounted ||
    isStalled ||
    (hasOrphaned &&
      (await hasDepositsToFail(tx, { network: network.name, solid: verified, droppedAfterMs }))) ||
    (await hasChargesToExpire(tx, { chainTime: verified.time })) ||
    (await hasTransferToEnd(tx, network.name, verified))
  );
}

async function write(context: WatcherContext, verifier: Verifier, found: Verified): Promise<Written> {
  return context.db.transaction(async (tx) => {
    const { events, ...written } = await writeFinal(context, tx, { ...verifier, ...found });
    // Events come last: other transactions that hold a row wait for their merchant's place among events.
    await enqueueEvents(context, tx, events);
    return written;
  });
}

/** Completes refunds in a transaction of its own, because no charge is locked after totals are written. Returns whether more wait. */
async function finishRefunds(
  context: WatcherContext,
  { network: { name: network }, lease, afterCommit }: Verifier,
  verified: ReadBlock,
): Promise<boolean> {
  if (!(await hasTransferToEnd(context.db, network, verified))) return false;
  const { isMoreWaiting } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const { events, isMoreWaiting } = await completeRefunds(context, tx, { network, tip: verified });
    await enqueueEvents(context, tx, events);
    return { isMoreWaiting };
  });
  afterCommit();
  return isMoreWaiting;
}

/** Confirms late deposits in a transaction of its own, because no charge is locked after totals are written. Undefined if none waits. */
async function confirmLate(
  context: WatcherContext,
  { network, lease }: Verifier,
  { cursor, verified }: { readonly cursor: Cursor; readonly verified: ReadBlock },
): Promise<Awaited<ReturnType<typeof confirmDeposits>> | undefined> {
  const statuses = depositMachine.edge("finalized").from;
  const waiting = await findOpenGroups(context.db, { network: network.name, statuses, to: verified.number });
  if (waiting.length === 0) return undefined;
  const scope = { network: network.name, epoch: lease.epoch };
  return context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const confirmed = await confirmDeposits(context, tx, { scope, cursor, solid: verified, late: true });
    await enqueueEvents(context, tx, confirmed.events);
    return confirmed;
  });
}
