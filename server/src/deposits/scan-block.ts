import { reportUnassigned } from "../addresses/report-unassigned.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers, type TransferAnomaly } from "../chain/decode-transfers.ts";
import { assertLease } from "../runtime/lease.ts";
import { announceChanges } from "./announce-changes.ts";
import { type Cursor, insertBlock, moveCursor } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { recordTransfers } from "./record-transfers.ts";
import { reportDeposits } from "./report-deposits.ts";
import { reportOutflows } from "./report-outflows.ts";
import { reportUnsupported } from "./report-unsupported.ts";
import type { Scanner } from "./scanner.ts";
import { buryDeposits, noteUnpaid } from "./status-store.ts";
import type { ChangedDeposit, Sighting } from "./store.ts";

/**
 * Reads the block after the cursor into the database in one transaction: the block, its deposits, what it means for
 * deposits that were there before, and the cursor itself. So a crash leaves either all of it or nothing, and reading
 * a block twice changes nothing. The caller has checked that the block's parent is the cursor's block. Answers the
 * new cursor.
 *
 * The addresses are read inside the transaction: every address committed before it started is matched.
 */
export async function scanBlock(
  context: WatcherContext,
  scanner: Scanner,
  input: { cursor: Cursor; block: CompleteBlock },
): Promise<Cursor> {
  const { network, lease } = scanner;
  const { header } = input.block;
  const decoded = decodeTransfers(input.block, network.usdtContractHex);
  reportAnomalies(context, header.number, decoded);
  const to = { number: header.number, blockId: header.id, time: new Date(header.timeMs) };
  const scope = { network: network.name, epoch: lease.epoch };
  const { transfers, buried } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await scanner.guard.require(tx);
    const transfers = await recordTransfers(context, tx, { ...decoded, scope, header });
    await noteUnpaid(tx, {
      network: network.name,
      blockId: header.id,
      txIds: input.block.transactions.map(({ txId }) => txId),
    });
    await insertBlock(tx, {
      network: network.name,
      epoch: lease.epoch,
      block: {
        id: header.id,
        number: header.number,
        parentId: header.parentId,
        time: to.time,
        witnessHex: header.witnessHex,
        signerHex: input.block.signerHex,
        transactionCount: input.block.transactions.length,
        transferCount: transfers.count,
      },
    });
    await moveCursor(tx, {
      network: network.name,
      from: input.cursor,
      to,
      epoch: lease.epoch,
      runs: decoded,
    });
    const buried = await buryDeposits(tx, scope, { below: header.number });
    const detected = transfers.detected.map((deposit) => ({ ...deposit, previousStatus: null }));
    const deposits = [...detected, ...transfers.included, ...buried];
    await announceChanges(context, tx, { deposits, headNumber: header.number });
    return { transfers, buried };
  });
  scanner.onCommit();
  reportDeposits(context, [...transfers.detected, ...transfers.included, ...buried]);
  reportRevived(context, transfers.included);
  reportRefused(context, header.number, transfers.refused);
  reportUnassigned(context, transfers.unassigned);
  reportOutflows(context, header.number, transfers.outflows);
  reportUnsupported(context, header.number, transfers.unsupported);
  return { ...to, solidNumber: input.cursor.solidNumber };
}

function reportAnomalies(
  context: WatcherContext,
  blockNumber: number,
  decoded: { anomalies: readonly TransferAnomaly[]; unparsed: number },
): void {
  for (const anomaly of decoded.anomalies) {
    context.log.warn(
      {
        block_number: blockNumber,
        tx_id: anomaly.txId,
        event_index: anomaly.eventIndex,
        anomaly: anomaly.kind,
        detail: anomaly.detail,
      },
      "a transfer was refused",
    );
  }
  if (decoded.unparsed > 0) {
    context.log.debug(
      { block_number: blockNumber, unparsed: decoded.unparsed },
      "transactions of unknown form",
    );
  }
}

/** A deposit was called lost for good and was not: what made us believe it must be found. */
export function reportRevived(context: WatcherContext, included: readonly ChangedDeposit[]): void {
  for (const deposit of included.filter(({ previousStatus }) => previousStatus === "FAILED")) {
    context.metrics.alarms.inc({ alarm: "failed_deposit_in_chain" });
    context.log.error(
      { deposit_id: deposit.id, tx_id: deposit.txId, block_number: deposit.blockNumber },
      "a FAILED deposit is in our chain after all; it is DETECTED again",
    );
  }
}

function reportRefused(context: WatcherContext, blockNumber: number, refused: readonly Sighting[]): void {
  for (const { txId, eventIndex } of refused) {
    context.log.error(
      { tx_id: txId, event_index: eventIndex, block_number: blockNumber },
      "a deposit that never left the chain was seen in a second block; the first sighting stands",
    );
  }
}
