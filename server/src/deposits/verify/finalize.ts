import { hasChargesToExpire, noteExpired } from "../../charges/close/close-charges.ts";
import { enqueueEvents } from "../../webhooks/events/enqueue-events.ts";
import { type Cursor, findBlock, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findWaiting } from "../open-store.ts";
import { reportUnexplained } from "../record/report-outflows.ts";
import { reportDeposits } from "../report-deposits.ts";
import { hasDepositsToFail } from "../status-store.ts";
import { confirmLate } from "./confirm-late.ts";
import { reportCorrection, reportOutvoted, reportWithoutInternals } from "./report-verified.ts";
import { findSolidHeight } from "./solid-height.ts";
import type { Verifier } from "./verifier.ts";
import { type VerifiedBlocks, verifyBlocks } from "./verify-blocks.ts";
import { type Verified, type Written, writeFinal } from "./write-final.ts";

/** After this many blocks without effects the verified height is written, because no fork may go below it. */
const MAX_BLOCKS_UNWRITTEN = 40;

type Finalized = { readonly isMoreWaiting: boolean; readonly isWritten: boolean };

/**
 * Verifies solid blocks by a second reading. One transaction corrects the deposits of one block. Without a correction it accounts for
 * outflows, fails and confirms deposits, and expires and archives charges by the time of the newest verified block. Another then
 * confirms late deposits, so that an order's events keep the chain's order. Each transaction has a bounded number of rows.
 */
export async function finalize(
  context: WatcherContext,
  verifier: Verifier,
  cursor: Cursor,
): Promise<Finalized> {
  const { network, verifying } = verifier;
  if (verifying.settledAt === cursor.blockId) return { isMoreWaiting: false, isWritten: false };
  const number = await findSolidHeight(context.db, { network: network.name, head: cursor.number });
  const solid = Math.max(cursor.solidNumber, number ?? 0);
  const verification = await verifyBlocks(context, verifier, { cursor, solid: { number: solid } });
  reportOutvoted(context, verifier, verification.blocks);
  reportWithoutInternals(context, verifier);
  const verified = verification.upTo ?? (await findVerified(context, verifier, cursor));
  if (!(await isWorthWriting(context, verifier, { cursor, solid, verified, verification }))) {
    if (!verification.isMore && isAllVerified(verification, solid)) verifying.settledAt = cursor.blockId;
    verifying.upTo = verification.upTo;
    return { isMoreWaiting: verification.isMore, isWritten: false };
  }
  const written = await write(context, verifier, { cursor, solid, verified, verification });
  verifier.afterCommit();
  const { correction, changed } = written;
  verifying.upTo = written.verified;
  if (correction !== undefined) {
    // The next step checks the corrected balances, and the blocks after this one.
    verifying.isRetryDue = true;
    verifying.differing.delete(correction.verified.block.blockId);
    reportCorrection(context, verifier, correction);
    return { isMoreWaiting: true, isWritten: true };
  }
  const late = written.isMoreWaiting
    ? undefined
    : await confirmLate(context, verifier, { cursor, verified: written.verified });
  if (late !== undefined) verifier.afterCommit();
  changed.push(...(late?.deposits ?? []));
  const isMoreWaiting = written.isMoreWaiting || late?.isMoreWaiting === true;
  if (!isMoreWaiting && !verification.isMore && isAllVerified(verification, solid))
    verifying.settledAt = cursor.blockId;
  await noteExpired(context.db, { chainTime: written.verified.time });
  showVerified(context, written.verified);
  reportDeposits(context, changed);
  reportUnexplained(context, written.unswept);
  return { isMoreWaiting: isMoreWaiting || verification.isMore, isWritten: true };
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

function isAllVerified({ upTo }: VerifiedBlocks, solid: number): boolean {
  return (upTo?.number ?? 0) >= solid;
}

/** Most blocks have no effect, and need no transaction. */
async function isWorthWriting(
  context: WatcherContext,
  { network }: Verifier,
  { cursor, solid, verified, verification }: Verified,
): Promise<boolean> {
  const { db } = context;
  if (verification.blocks.length > 0 || verified.number - cursor.solidNumber > MAX_BLOCKS_UNWRITTEN)
    return true;
  const { hasUnconfirmed, hasOrphaned, hasUnaccounted, nextTime } = await findWaiting(db, {
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
      (await hasDepositsToFail(db, { network: network.name, solid: verified, droppedAfterMs }))) ||
    (await hasChargesToExpire(db, { chainTime: verified.time }))
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
