import { assertLease } from "../runtime/lease.ts";
import { announceChanges } from "./announce-changes.ts";
import { addTransfers, type Cursor, findCursor, type ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { withdrawDeposits } from "./compare-store.ts";
import type { WatcherContext } from "./context.ts";
import type { TellingsJudgement } from "./judge-tellings.ts";
import type { Matches } from "./match-transfers.ts";
import { anyOpen, type DecodedBlock, recordBlock } from "./record-block.ts";
import { reportBlock } from "./report-block.ts";
import { reportDeposits } from "./report-deposits.ts";
import type { Scanner } from "./scanner.ts";
import type { Sighting } from "./store.ts";

type Mending = { readonly telling: DecodedBlock; readonly judgement: TellingsJudgement<Sighting> };

/**
 * Brings the deposits of a block of ours to what a quorum shows of it: refuted ones leave the chain, what is missing is
 * recorded as when it is first read, and a refuted one that is not read anew has not been paid by its transaction. Each half is
 * a transaction, and a crash between them leaves what the next look finishes. `telling` is any node's of that block.
 */
export async function mendBlock(
  context: WatcherContext,
  scanner: Scanner,
  { telling, judgement }: Mending,
): Promise<void> {
  const { missing, lone, refuted } = judgement;
  const { block } = telling;
  const cursor = await findCursor(context.db, scanner.network.name);
  if (cursor === undefined) return;
  const withdrawn = await withdrawRefuted(context, scanner, { block, refuted, headNumber: cursor.number });
  const deposits = await record(context, scanner, { telling, missing, cursor });
  // Of many that wait the books may have known more than was looked at.
  if (withdrawn + deposits === 0) return;
  scanner.onCommit();
  // Who shows it alone was named.
  if (refuted.length === 0 && missing.every((one) => lone.includes(one))) return;
  context.metrics.alarms.inc({ alarm: "hidden_transfer" });
  context.log.error(
    { block_number: block.number, deposits, withdrawn },
    "the node that a block was read from has hidden or bent payments in it that other nodes show, or made them up",
  );
}

type Withdrawal = {
  readonly block: ReadBlock;
  readonly refuted: readonly UncoveredDeposit[];
  readonly headNumber: number;
};

/**
 * Takes deposits of a block of ours that are not confirmed and that it does not hold as they are stored out of the chain. In a
 * transaction of its own: what moves twice is announced between. Answers how many it was.
 */
export async function withdrawRefuted(
  context: WatcherContext,
  { network, lease }: Scanner,
  { block: { number, blockId }, refuted, headNumber }: Withdrawal,
): Promise<number> {
  if (refuted.length === 0) return 0;
  const scope = { network: network.name, epoch: lease.epoch };
  const deposits = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const ids = refuted.map(({ id }) => id);
    const withdrawn = await withdrawDeposits(tx, scope, { number, ids });
    await addTransfers(tx, { blockId, count: -withdrawn.length });
    await announceChanges(context, tx, { deposits: withdrawn, headNumber });
    return withdrawn;
  });
  reportDeposits(context, deposits);
  return deposits.length;
}

type Missing = {
  readonly telling: DecodedBlock;
  readonly missing: readonly Sighting[];
  readonly cursor: Cursor;
};

/** Answers how many deposits there are by it that the chain was not known to have. */
async function record(
  context: WatcherContext,
  { network, lease, guard }: Scanner,
  { telling, missing, cursor }: Missing,
): Promise<number> {
  const scope = { network: network.name, epoch: lease.epoch };
  const matches: Matches = { sightings: missing, outflows: [], own: [], unassigned: [], unsupported: [] };
  const headNumber = cursor.number;
  const { recorded, count } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await guard.require(tx);
    const { block } = telling;
    const contents = () => ({ transactions: telling.told.transactions, moves: telling.moves });
    const recording = { scope, block, contents, matches, headNumber, open: anyOpen };
    const { recorded } = await recordBlock(context, tx, recording);
    const count = recorded.transfers.detected.length + recorded.transfers.included.length;
    await addTransfers(tx, { blockId: telling.block.blockId, count });
    return { recorded, count };
  });
  // What its bytes hold beside was reported when it was read.
  reportBlock(context, { ...recorded, anomalies: [], unparsed: 0 });
  return count;
}
