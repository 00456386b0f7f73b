import type { OwnerFinder } from "@daric/addresses/owner-finder";
import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import type { Transaction } from "@daric/postgres/sql";
import { recordRefundTransfers } from "@daric/refunds/record-transfers";
import type { RefundWatch } from "@daric/refunds/watch";
import { assertLease } from "@daric/runtime/lease";
import { createSubscriptionFinder } from "../announce-changes.ts";
import { type Cursor, insertBlocks, moveCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { scannedEventTypes } from "../deposit-event.ts";
import { matchRefunds } from "../record/match-refunds.ts";
import { type MatchableBlock, matchBlocks } from "../record/match-transfers.ts";
import {
  anyOpen,
  type BlockChanges,
  blockOf,
  inclusionsOf,
  recordBlock,
  rowOf,
} from "../record/record-block.ts";
import { reportBlock } from "../record/report-block.ts";
import type { Scope } from "../store.ts";
import type { Scanner } from "./scanner.ts";

/** The transaction blocks the renewal of its lease's row, so it ends long before the lease does. */
const MAX_RUN_MS = 500;

/**
 * Records the blocks after the cursor in one transaction: blocks, deposits, effects on older deposits, and the cursor. So a crash
 * leaves all or nothing, and a second reading changes nothing. The caller has checked that the blocks are linked.
 *
 * It records at least one block. It stops when time is up, and after a block with an event, because rows are locked before
 * events are written. Address owners are looked up inside the transaction, so every committed address is matched.
 */
export async function scanBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, blocks }: { cursor: Cursor; blocks: readonly LazyBlock[] },
): Promise<Cursor> {
  const { network, lease } = scanner;
  const scope = { network: network.name, epoch: lease.epoch };
  const { recorded, hasEvents, to } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await scanner.guard.require(tx);
    const { recorded, hasEvents } = await recordInTurn(context, tx, {
      scope,
      blocks,
      owners: scanner.owners,
      refunds: scanner.refunds,
    });
    await insertBlocks(tx, { ...scope, blocks: recorded.map((block) => rowOf(block.lazy.summary, block)) });
    const to = recorded.at(-1)?.block ?? cursor;
    await moveCursor(tx, { ...scope, from: cursor, to, runs: recorded.map(({ lazy }) => lazy.summary) });
    return { recorded, hasEvents, to };
  });
  scanner.afterBlocks();
  if (hasEvents) scanner.afterCommit();
  for (const { lazy, ...changes } of recorded) reportBlock(context, { ...lazy.summary, ...changes });
  return { ...to, solidNumber: cursor.solidNumber };
}

type RecordedBlock = BlockChanges & { readonly lazy: LazyBlock };

type Recording = {
  readonly scope: Scope;
  readonly blocks: readonly LazyBlock[];
  readonly owners: OwnerFinder;
  readonly refunds: RefundWatch;
};

async function recordInTurn(
  context: WatcherContext,
  tx: Transaction,
  { scope, blocks, owners, refunds }: Recording,
): Promise<{ recorded: readonly RecordedBlock[]; hasEvents: boolean }> {
  const { clock } = context;
  const startedMs = clock.monotonicMs();
  const matchable = blocks.map((lazy): MatchableBlock => {
    const { header, involved } = lazy.summary;
    const open = () => ({ ...lazy.decode().decoded, network: scope.network, block: blockOf(header) });
    return { involved, decode: open };
  });
  const matched = await matchBlocks(tx, matchable, owners.find);
  const watched = await refunds.current(tx);
  const recorded: RecordedBlock[] = [];
  const findSubscribed = createSubscriptionFinder(context, tx, scannedEventTypes);
  let open = anyOpen;
  for (const [index, lazy] of blocks.entries()) {
    if (index > 0 && clock.monotonicMs() - startedMs > MAX_RUN_MS) break;
    const matches = matched[index]?.();
    const own = matchable[index];
    if (matches === undefined || own === undefined) break;
    // Refunds are locked before the block's events are written.
    await recordRefundTransfers(context, tx, matchRefunds(watched, own));
    const block = blockOf(lazy.summary.header);
    const inclusions = () => inclusionsOf(lazy.decode(), matches);
    const recording = {
      scope,
      block,
      inclusions,
      matches,
      headNumber: block.number,
      open,
      findSubscribed,
    };
    const next = await recordBlock(context, tx, recording);
    recorded.push({ ...next.recorded, lazy });
    if (next.hasEvents) return { recorded, hasEvents: true };
    open = next.open;
  }
  return { recorded, hasEvents: false };
}
