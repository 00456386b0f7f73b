import type { Transaction } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/complete-block.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { assertLease } from "../runtime/lease.ts";
import { type Cursor, findBlock, findBlockId, findCursor, insertBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { matchBlock } from "./match-transfers.ts";
import { NotYetError } from "./not-yet-error.ts";
import { saveTransferCount } from "./read-range-store.ts";
import { anyOpen, decodeBlock, type RecordedBlock, recordBlock, rowOf } from "./record-block.ts";
import { reportBlock } from "./report-block.ts";
import { advanceRescan, lockRescan, type Rescan, type RescanStep, refuseRescan } from "./rescan-store.ts";
import type { Scanner } from "./scanner.ts";

/** What a block that was read again came to; nothing is recorded of one that is not ours. */
type Finding = RescanStep & { readonly recorded?: RecordedBlock };

/**
 * Takes up the next block of a range, as the nodes tell it now, in one transaction with the range's progress. Where it is
 * our block, what our books lack is recorded and announced as when it was first read. Where it is the parent of our first
 * block, it is added to the chain. Where it differs from ours, at or below what is final, that is reported and ours stands.
 *
 * @throws NotYetError when it differs from ours above what is final: the scanner follows forks.
 */
export async function readAgain(
  context: WatcherContext,
  scanner: Scanner,
  { rescan, block }: { rescan: Rescan; block: CompleteBlock },
): Promise<void> {
  const network = scanner.network.name;
  const finding = await context.db.transaction(async (tx) => {
    await assertLease(tx, scanner.lease);
    await scanner.guard.require(tx);
    if (!(await lockRescan(tx, { ...rescan, network }))) return undefined;
    const found = await findWhatItIs(context, tx, { scanner, block });
    if (found === "unlinked") {
      const note = `block ${rescan.next} as the nodes tell it is not the parent of our first block: ask nodes of another operator, or find out with \`daric doctor --deep\` who is right`;
      await refuseRescan(tx, { network, id: rescan.id, note });
      return undefined;
    }
    await advanceRescan(tx, network, { rescan, step: found });
    return found;
  });
  if (finding !== undefined) report(context, scanner, { number: block.header.number, finding });
}

/** Records the block where it is ours or belongs below our first one; otherwise says how it differs. */
async function findWhatItIs(
  context: WatcherContext,
  tx: Transaction,
  { scanner, block }: { scanner: Scanner; block: CompleteBlock },
): Promise<Finding | "unlinked"> {
  const network = scanner.network.name;
  const cursor = await findCursor(tx, network);
  if (cursor === undefined) return "unlinked";
  const ours = await findOurs(tx, network, { cursor, number: block.header.number });
  if (ours.blockId === block.header.id)
    return recordAgain(context, tx, { scanner, block, cursor, isAdded: !ours.isRead });
  if (!ours.isRead) return "unlinked";
  return { isAdded: false, deposits: 0, difference: differenceOf(block.header, { cursor, ...ours }) };
}

/** Our block at a height; where none was read yet, the one that our first names as its parent. */
async function findOurs(
  tx: Transaction,
  network: string,
  { cursor, number }: { cursor: Cursor; number: number },
): Promise<{ isRead: boolean; blockId: string | undefined }> {
  const read = await findBlock(tx, { network, number });
  if (read !== undefined) return { isRead: true, blockId: read.blockId };
  const atCursor = number === cursor.number ? cursor.blockId : undefined;
  return { isRead: false, blockId: (await findBlockId(tx, { network, number })) ?? atCursor };
}

/** @throws NotYetError above what is final. */
function differenceOf(
  { number, id }: BlockHeader,
  { cursor, blockId }: { cursor: Cursor; blockId: string | undefined },
): string {
  if (number > cursor.solidNumber)
    throw new NotYetError(`block ${number} is another one than ours, and not final yet`);
  return `block ${number} is ${id} where ours is ${blockId}`;
}

type OurBlock = { scanner: Scanner; block: CompleteBlock; cursor: Cursor; isAdded: boolean };

async function recordAgain(
  context: WatcherContext,
  tx: Transaction,
  { scanner, block: told, cursor, isAdded }: OurBlock,
): Promise<Finding> {
  const scope = { network: scanner.network.name, epoch: scanner.lease.epoch };
  const decoded = decodeBlock(told, scanner.network.usdtContractHex);
  const { block, moves } = decoded;
  const matches = await matchBlock(tx, { ...moves, network: scope.network, block });
  const headNumber = cursor.number;
  const { recorded } = await recordBlock(context, tx, { scope, decoded, matches, headNumber, open: anyOpen });
  const { transfers } = recorded;
  if (isAdded) await insertBlock(tx, { ...scope, block: rowOf(recorded) });
  else await saveTransferCount(tx, { blockId: block.blockId, count: transfers.count });
  const deposits = transfers.detected.length + transfers.included.length;
  return { isAdded, deposits, difference: undefined, recorded };
}

function report(
  context: WatcherContext,
  scanner: Scanner,
  { number, finding }: { number: number; finding: Finding },
): void {
  const { recorded, deposits, difference } = finding;
  if (difference !== undefined) {
    context.metrics.alarms.inc({ alarm: "rescan_differs" });
    context.log.error(
      { block_number: number, detail: difference },
      "a final block that was read again differs from ours; ours stands",
    );
  }
  if (deposits > 0) {
    // What is final may have something to settle again, although no block came.
    scanner.memory.settledAt = undefined;
    scanner.onCommit();
    context.log.warn(
      { block_number: number, deposits },
      "a block that was read again holds payments which the books lacked",
    );
  }
  if (recorded !== undefined) reportBlock(context, recorded);
}
