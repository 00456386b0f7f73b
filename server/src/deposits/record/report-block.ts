import { reportUnattributed } from "../../addresses/report-unattributed.ts";
import type { TransferAnomaly } from "../../chain/blocks/decode-transfers.ts";
import type { ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { reportDeposits } from "../report-deposits.ts";
import type { ChangedDeposit, ObservedTransfer } from "../store.ts";
import type { RecordedTransfers } from "./record-transfers.ts";
import { reportOutflows } from "./report-outflows.ts";
import { reportUnsupported } from "./report-unsupported.ts";

export type ReportedBlock = {
  readonly isAccepted?: true | undefined;
  readonly block: ReadBlock;
  readonly anomalies: readonly TransferAnomaly[];
  readonly unparsed: number;
  readonly transfers: RecordedTransfers;
  readonly confirming: readonly ChangedDeposit[];
};

export function reportBlock(
  context: WatcherContext,
  { isAccepted, block: { number }, anomalies, unparsed, transfers, confirming }: ReportedBlock,
): void {
  if (isAccepted)
    context.log.warn(
      { block_number: number },
      "a block was read as it is told, because an operator accepted it",
    );
  reportAnomalies(context, number, { anomalies, unparsed });
  reportDeposits(context, [...transfers.detected, ...transfers.included, ...confirming]);
  reportRevived(context, transfers.included);
  reportRefused(context, number, transfers.refused);
  reportUnattributed(context, transfers.unattributed);
  reportOutflows(context, number, transfers.outflows);
  reportUnsupported(context, number, transfers.unsupported);
}

function reportAnomalies(
  context: WatcherContext,
  blockNumber: number,
  decoded: Pick<ReportedBlock, "anomalies" | "unparsed">,
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

/** A FAILED deposit re-appeared on chain, so the reason of its failure must be investigated. */
function reportRevived(context: WatcherContext, included: readonly ChangedDeposit[]): void {
  for (const deposit of included.filter(({ previousStatus }) => previousStatus === "FAILED")) {
    context.metrics.alarms.inc({ alarm: "failed_deposit_in_chain" });
    context.log.error(
      { deposit_id: deposit.id, tx_id: deposit.txId, block_number: deposit.blockNumber },
      "a FAILED deposit is in our chain after all; it is DETECTED again",
    );
  }
}

function reportRefused(
  context: WatcherContext,
  blockNumber: number,
  refused: readonly ObservedTransfer[],
): void {
  for (const { txId, eventIndex } of refused) {
    context.log.error(
      { tx_id: txId, event_index: eventIndex, block_number: blockNumber },
      "a deposit that never left the chain was seen in a second block; the first observed transfer stands",
    );
  }
}
