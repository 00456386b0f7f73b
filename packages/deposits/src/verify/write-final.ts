import { archiveQuietCharges, expireCharges } from "@daric/charges/close/close-charges";
import { depositMachine } from "@daric/domain/deposit";
import { bookOutflows } from "@daric/ledger/book-outflows";
import type { Transaction } from "@daric/postgres/sql";
import { inFairRounds, roundRobin } from "@daric/runtime/fair-rounds";
import { assertLease } from "@daric/runtime/lease";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { findChangeEvents } from "../announce-changes.ts";
import { addTransfers, type Cursor, type ReadBlock, raiseSolid } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findOpenGroups, openGroupKey, readOpenGroups } from "../open-store.ts";
import { type AccountedOutflow, findUnaccounted, takeUnaccounted } from "../record/outflow-store.ts";
import { failDropped, failRejected, failUnpaid } from "../status-store.ts";
import type { ChangedDeposit, Scope } from "../store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { stallDeposits } from "./stall-store.ts";
import type { Verifier } from "./verifier.ts";
import type { VerifiedBlocks } from "./verify-blocks.ts";
import { type Correction, writeVerified } from "./write-verified.ts";

export type Verified = {
  readonly cursor: Cursor;
  readonly solid: number;
  readonly verified: ReadBlock;
  readonly verification: VerifiedBlocks;
};

export type Written = {
  readonly verified: ReadBlock;
  readonly correction: Correction | undefined;
  readonly changed: ChangedDeposit[];
  readonly unswept: readonly AccountedOutflow[];
  readonly isMoreWaiting: boolean;
};

/**
 * Writes what the verified blocks make final. Returns the events; the caller enqueues them at the end of its transaction. A
 * correction has enqueued its own.
 */
export async function writeFinal(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { network, lease, cursor, solid, verified, verification }: Verified & Pick<Verifier, "network" | "lease">,
): Promise<Written & { readonly events: readonly NewWebhookEvent[] }> {
  const scope = { network: network.name, epoch: lease.epoch };
  await assertLease(tx, lease);
  const correction = await writeVerified(context, tx, {
    scope,
    blocks: verification.blocks,
    headNumber: cursor.number,
  });
  const corrected = correction?.verified.block ?? verified;
  const reached = corrected.number < verified.number ? corrected : verified;
  await raiseSolid(tx, { network: network.name, solid: reached });
  // A correction writes events, and rows are locked before events, so the rest follows in the next transaction.
  if (correction !== undefined)
    return { verified: reached, correction, changed: [], unswept: [], events: [], isMoreWaiting: true };
  const { unswept, ...accounted } = await accountOutflows(tx, {
    network: network.name,
    upTo: verified.number,
  });
  const failed = await failDeposits(context, tx, { scope, solid: verified });
  const confirmed = await confirmDeposits(context, tx, { scope, cursor, solid: verified, late: false });
  // All that waits is read to find what is stuck, so once, after the last of many were confirmed.
  const stalled = confirmed.isMoreWaiting
    ? []
    : await stallDeposits(tx, scope, stuckBy(context, { cursor, solid, verified }));
  const unconfirmed = [...failed.deposits, ...stalled];
  const moves = await findChangeEvents(context, tx, { deposits: unconfirmed, headNumber: cursor.number });
  const events = [...confirmed.events, ...moves];
  const changed = [...unconfirmed, ...confirmed.deposits];
  // Deposits that are still to be confirmed may pay an order before it expires.
  if (confirmed.isMoreWaiting) return { verified, correction, changed, unswept, events, isMoreWaiting: true };
  const expired = await expireCharges(context, tx, { chainTime: verified.time });
  await archiveQuietCharges(context, tx, { chainTime: verified.time });
  const isMoreWaiting = [accounted, failed, expired].some((part) => part.isMoreWaiting);
  return { verified, correction, changed, unswept, events: [...events, ...expired.events], isMoreWaiting };
}

/** From when on deposits of which blocks are stuck. */
function stuckBy(
  { config }: Pick<WatcherContext, "config">,
  { cursor, solid, verified }: Pick<Verified, "cursor" | "solid" | "verified">,
): Parameters<typeof stallDeposits>[2] {
  const { stuckAfterMs } = config.deposits;
  const madeBefore = new Date(cursor.time.getTime() - stuckAfterMs);
  return { solid, verified: verified.number, madeBefore, stuckAfterMs };
}

/** Outflows that are accounted for in one transaction. */
const MAX_ACCOUNTED_AT_ONCE = 500;

/**
 * Accounts for outflows up to a verified block: a sweep explains an outflow, or it is booked. At most 500. Returns those without a
 * sweep.
 */
async function accountOutflows(
  tx: Transaction,
  { network, upTo }: { network: string; upTo: number },
): Promise<{ unswept: AccountedOutflow[]; isMoreWaiting: boolean }> {
  const keys = await findUnaccounted(tx, { network, upTo, limit: MAX_ACCOUNTED_AT_ONCE });
  if (keys.length === 0) return { unswept: [], isMoreWaiting: false };
  const outflows = await takeUnaccounted(tx, network, keys);
  const unswept = outflows.filter(({ isSwept }) => !isSwept);
  await bookOutflows(tx, unswept);
  return { unswept, isMoreWaiting: keys.length === MAX_ACCOUNTED_AT_ONCE };
}

const MAX_FAILED_AT_ONCE = 200;

/**
 * Fails orphaned deposits by our own blocks: a solid block has the transaction without the payment, or the transaction expired before
 * the solid block. It also fails deposits that an operator rejected. All others wait.
 */
export async function failDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, solid }: { scope: Scope; solid: ReadBlock },
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const { droppedAfterMs } = context.config.deposits;
  const { from: statuses } = depositMachine.edge("failed");
  const inTurn = roundRobin(await readOpenGroups(tx, { network: scope.network, statuses }));
  const limits = { limit: MAX_FAILED_AT_ONCE, unitOf: openGroupKey };
  const stuck = await findOpenGroups(tx, {
    network: scope.network,
    statuses: depositMachine.edge("rejected").from,
  });
  const rejected = await inFairRounds(roundRobin(stuck), limits, (groups, limitEach) =>
    failRejected(tx, scope, { groups, limitEach }),
  );
  for (const { blockId } of rejected.rows) await addTransfers(tx, { blockId, count: -1 });
  const unpaid = await inFairRounds(inTurn, limits, (groups, limitEach) =>
    failUnpaid(tx, scope, { groups, limitEach, solid }),
  );
  const dropped = await inFairRounds(inTurn, limits, (groups, limitEach) =>
    failDropped(tx, scope, { groups, limitEach, solid, droppedAfterMs }),
  );
  return {
    deposits: [...rejected.rows, ...unpaid.rows, ...dropped.rows],
    isMoreWaiting: [rejected, unpaid, dropped].some(({ isMoreWaiting }) => isMoreWaiting),
  };
}
