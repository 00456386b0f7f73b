import type { Transaction } from "@daric/postgres/sql";
import { reportUnassigned } from "../addresses/report-unassigned.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers } from "../chain/decode-transfers.ts";
import { assertLease } from "../runtime/lease.ts";
import { findBlock, findCursor, insertBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { NotYetError } from "./not-yet-error.ts";
import { findFirstParent, saveTransferCount } from "./read-range-store.ts";
import { type RecordedTransfers, recordTransfers } from "./record-transfers.ts";
import { reportRevived } from "./report-block.ts";
import { reportDeposits } from "./report-deposits.ts";
import { reportOutflows } from "./report-outflows.ts";
import { reportUnsupported } from "./report-unsupported.ts";
import { advanceRescan, lockRescan, type Rescan, type RescanStep, refuseRescan } from "./rescan-store.ts";
import type { Scanner } from "./scanner.ts";
import { buryDeposits, noteUnpaid } from "./status-store.ts";
import type { ChangedDeposit } from "./store.ts";

/** What a block that was read again changed: nothing, where our books had all of it. */
type Findings = RescanStep & {
  readonly transfers?: RecordedTransfers;
  readonly buried?: readonly ChangedDeposit[];
};

/**
 * Takes up the next block of a range, as the nodes tell it now, in one transaction with the range's progress. Where it is
 * our block, what our books lack is recorded as when it was first read. Where it is the parent of our first block, it is
 * added to the chain. Where it differs from ours, at or below what is final, that is reported and ours stands.
 *
 * @throws NotYetError when it differs from ours above what is final: the scanner follows forks.
 */
export async function readAgain(
  context: WatcherContext,
  scanner: Scanner,
  { rescan, block }: { rescan: Rescan; block: CompleteBlock },
): Promise<void> {
  const network = scanner.network.name;
  const findings = await context.db.transaction(async (tx) => {
    await assertLease(tx, scanner.lease);
    await scanner.guard.require(tx);
    if (!(await lockRescan(tx, { ...rescan, network }))) return undefined;
    const place = await placeOf(tx, network, block);
    if (place === "unlinked") {
      const note = `block ${rescan.next} as the nodes tell it is not the parent of our first block: ask nodes of another operator, or find out with \`daric doctor --deep\` who is right`;
      await refuseRescan(tx, { network, id: rescan.id, note });
      return undefined;
    }
    const found =
      typeof place === "string" ? await recordBlock(context, tx, { scanner, block, place }) : place;
    await advanceRescan(tx, network, { rescan, step: found });
    return found;
  });
  if (findings !== undefined) report(context, scanner, { number: block.header.number, findings });
}

/** Whether it is our block, is to be added below our first, or neither; or how it differs from ours. */
async function placeOf(
  tx: Transaction,
  network: string,
  { header }: CompleteBlock,
): Promise<"ours" | "below" | "unlinked" | RescanStep> {
  const ours = await findBlock(tx, { network, number: header.number });
  if (ours?.blockId === header.id) return "ours";
  if (ours === undefined) {
    const first = await findFirstParent(tx, network);
    const cursor = first ?? (await findCursor(tx, network));
    const parentId = cursor && ("parentId" in cursor ? cursor.parentId : cursor.blockId);
    const number = cursor && ("parentId" in cursor ? cursor.number - 1 : cursor.number);
    return parentId === header.id && number === header.number ? "below" : "unlinked";
  }
  const cursor = await findCursor(tx, network);
  if (cursor === undefined || header.number > cursor.solidNumber)
    throw new NotYetError(`block ${header.number} is another one than ours, and not final yet`);
  return {
    isAdded: false,
    deposits: 0,
    difference: `block ${header.number} is ${header.id} where ours is ${ours.blockId}`,
  };
}

async function recordBlock(
  context: WatcherContext,
  tx: Transaction,
  { scanner, block, place }: { scanner: Scanner; block: CompleteBlock; place: "ours" | "below" },
): Promise<Findings> {
  const { header } = block;
  const scope = { network: scanner.network.name, epoch: scanner.lease.epoch };
  const decoded = decodeTransfers(block, scanner.network.usdtContractHex);
  const transfers = await recordTransfers(context, tx, { ...decoded, scope, header });
  const txIds = block.transactions.map(({ txId }) => txId);
  await noteUnpaid(tx, { network: scope.network, blockId: header.id, txIds });
  if (place === "ours") await saveTransferCount(tx, { blockId: header.id, count: transfers.count });
  else
    await insertBlock(tx, {
      ...scope,
      block: {
        id: header.id,
        number: header.number,
        parentId: header.parentId,
        time: new Date(header.timeMs),
        transactionCount: block.transactions.length,
        transferCount: transfers.count,
        witnessHex: header.witnessHex,
        signerHex: block.signerHex,
      },
    });
  // A block that has one above it has buried its deposits; the newest one's are buried by the next.
  const cursor = await findCursor(tx, scope.network);
  const buried = cursor === undefined ? [] : await buryDeposits(tx, scope, { below: cursor.number });
  const deposits = transfers.detected.length + transfers.included.length;
  return { isAdded: place === "below", deposits, difference: undefined, transfers, buried };
}

function report(
  context: WatcherContext,
  scanner: Scanner,
  { number, findings }: { number: number; findings: Findings },
): void {
  const { transfers, buried = [], difference } = findings;
  if (difference !== undefined) {
    context.metrics.alarms.inc({ alarm: "rescan_differs" });
    context.log.error(
      { block_number: number, detail: difference },
      "a final block that was read again differs from ours; ours stands",
    );
  }
  if (transfers === undefined) return;
  if (findings.deposits > 0) {
    // What is final may have something to settle again, although no block came.
    scanner.memory.settledAt = undefined;
    scanner.onCommit();
    context.log.warn(
      { block_number: number, deposits: findings.deposits },
      "a block that was read again holds payments which the books lacked",
    );
  }
  reportDeposits(context, [...transfers.detected, ...transfers.included, ...buried]);
  reportRevived(context, transfers.included);
  reportUnassigned(context, transfers.unassigned);
  reportOutflows(context, number, transfers.outflows);
  reportUnsupported(context, number, transfers.unsupported);
}
