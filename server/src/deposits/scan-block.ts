import type { Transaction } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { type DecodedTransfers, decodeTransfers } from "../chain/decode-transfers.ts";
import { assertLease } from "../runtime/lease.ts";
import { announceChanges } from "./announce-changes.ts";
import { type Cursor, insertBlocks, moveCursor, type ReadBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { type Matches, matchBlocks } from "./match-transfers.ts";
import { blockOf, type RecordedTransfers, recordMatches } from "./record-transfers.ts";
import { reportBlock } from "./report-block.ts";
import type { Scanner } from "./scanner.ts";
import { buryDeposits, noteUnpaid } from "./status-store.ts";
import type { ChangedDeposit, Scope } from "./store.ts";

/** The lease is renewed by its own row, which a transaction holds: a run ends long before another watcher would follow. */
const MAX_RUN_MS = 500;

/** A block whose transfers are read from its bytes. */
type DecodedBlock = {
  readonly told: CompleteBlock;
  readonly block: ReadBlock;
  readonly moves: DecodedTransfers;
};

/** A block that is recorded, and what it changed. */
type RecordedBlock = DecodedBlock & {
  readonly transfers: RecordedTransfers;
  readonly buried: readonly ChangedDeposit[];
};

/**
 * Reads the blocks after the cursor into the database in one transaction: the blocks, their deposits, what they mean for
 * deposits that were there before, and the cursor itself. So a crash leaves either all of it or nothing, and reading
 * a block twice changes nothing. Each changes what it would change if it were read alone. The caller has checked that each
 * is the child of the one before, and the first of the cursor's block. Of many, those are left out that would take it too
 * long, and those after one of which somebody is told, because rows are taken before events are written: one is read at least.
 * Answers the new cursor.
 *
 * The addresses are read inside the transaction: every address committed before it started is matched.
 */
export async function scanBlocks(
  context: WatcherContext,
  scanner: Scanner,
  { cursor, blocks }: { cursor: Cursor; blocks: readonly CompleteBlock[] },
): Promise<Cursor> {
  const { network, lease } = scanner;
  const decoded = blocks.map((told) => ({
    told,
    block: blockOf(told.header),
    moves: decodeTransfers(told, network.usdtContractHex),
  }));
  const scope = { network: network.name, epoch: lease.epoch };
  const { recorded, to } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await scanner.guard.require(tx);
    const recorded = await recordInTurn(context, tx, { scope, decoded });
    await insertBlocks(tx, { ...scope, blocks: recorded.map(rowOf) });
    const to = recorded.at(-1)?.block ?? cursor;
    await moveCursor(tx, { ...scope, from: cursor, to, runs: recorded.map(({ moves }) => moves) });
    return { recorded, to };
  });
  scanner.onCommit();
  for (const one of recorded) reportBlock(context, one);
  return { ...to, solidNumber: cursor.solidNumber };
}

/** Records one block after the other until it has taken long enough. */
async function recordInTurn(
  context: WatcherContext,
  tx: Transaction,
  { scope, decoded }: { scope: Scope; decoded: readonly DecodedBlock[] },
): Promise<RecordedBlock[]> {
  const { clock } = context;
  const startedMs = clock.monotonicMs();
  const matched = await matchBlocks(
    tx,
    decoded.map(({ block, moves }) => ({ ...moves, network: scope.network, block })),
  );
  const recorded: RecordedBlock[] = [];
  // What may be there before the first of them; after each it is known.
  let open = { isAnyLost: true, isAnyUnburied: true };
  for (const [place, one] of decoded.entries()) {
    if (place > 0 && clock.monotonicMs() - startedMs > MAX_RUN_MS) break;
    const matches = matched[place];
    if (matches === undefined) break;
    const next = await recordBlock(context, tx, { scope, one, matches, open });
    recorded.push(next.recorded);
    if (next.isTold) break;
    open = next.open;
  }
  return recorded;
}

/** Which deposits there may be that a block means something for, beside those that it pays. */
type OpenDeposits = { readonly isAnyLost: boolean; readonly isAnyUnburied: boolean };

async function recordBlock(
  context: WatcherContext,
  tx: Transaction,
  { scope, one, matches, open }: { scope: Scope; one: DecodedBlock; matches: Matches; open: OpenDeposits },
): Promise<{ recorded: RecordedBlock; open: OpenDeposits; isTold: boolean }> {
  const { number, blockId } = one.block;
  const transfers = await recordMatches(context, tx, { scope, block: one.block, matches });
  const txIds = one.told.transactions.map(({ txId }) => txId);
  const isAnyLost = open.isAnyLost && (await noteUnpaid(tx, { network: scope.network, blockId, txIds }));
  const buried = open.isAnyUnburied ? await buryDeposits(tx, scope, { below: number }) : [];
  const detected = transfers.detected.map((deposit) => ({ ...deposit, previousStatus: null }));
  const deposits = [...detected, ...transfers.included, ...buried];
  const isTold = await announceChanges(context, tx, { deposits, headNumber: number });
  // All below are buried now: those that this block pays are left for the next.
  const isAnyUnburied = transfers.detected.length + transfers.included.length > 0;
  return { recorded: { ...one, transfers, buried }, open: { isAnyLost, isAnyUnburied }, isTold };
}

function rowOf({ told, block, transfers }: RecordedBlock) {
  const { header, transactions, signerHex } = told;
  return {
    id: header.id,
    number: header.number,
    parentId: header.parentId,
    time: block.time,
    witnessHex: header.witnessHex,
    signerHex,
    transactionCount: transactions.length,
    transferCount: transfers.count,
  };
}
