import { reportUnattributed } from "@daric/addresses/report-unattributed";
import type { TransferAnomaly } from "@daric/chain/blocks/decode-transfers";
import type { ReadBlock } from "../block-store.ts";
import type { Context, WatcherContext } from "../context.ts";
import { reportDeposits } from "../report-deposits.ts";
import type { ChangedDeposit, ObservedTransfer } from "../store.ts";
import type { RecordedTransfers } from "./record-transfers.ts";
import { reportOutflows } from "./report-outflows.ts";
import type { UnsupportedArrival } from "./unsupported-store.ts";

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
      { event: "block_override_used", block_number: number },
      "a block with failed checks was read because an operator accepted it",
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
        event: "transfer_refused",
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

/** A FAILED deposit re-appeared on chain, so the reason of its failure must be investigated, unless an operator took a rejection back. */
function reportRevived(context: WatcherContext, included: readonly ChangedDeposit[]): void {
  for (const deposit of included.filter(
    (deposit) => deposit.previousStatus === "FAILED" && !deposit.isAccepted,
  )) {
    context.metrics.alarms.inc({ alarm: "failed_deposit_in_chain" });
    context.log.error(
      {
        event: "failed_deposit_in_chain",
        deposit_id: deposit.id,
        tx_id: deposit.txId,
        block_number: deposit.blockNumber,
      },
      "a FAILED deposit is in the chain after all; it is DETECTED again",
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
      { event: "duplicate_transfer", tx_id: txId, event_index: eventIndex, block_number: blockNumber },
      "a second block holds the transfer of a deposit whose block is still in the chain; the first block counts",
    );
  }
}

export function reportUnsupported(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  blockNumber: number,
  arrivals: readonly UnsupportedArrival[],
): void {
  for (const { txId, source, eventIndex, address, contract, rawValue } of arrivals) {
    metrics.unsupportedTransfers.inc({ source });
    log.warn(
      {
        event: "unsupported_token",
        tx_id: txId,
        source,
        event_index: eventIndex,
        address,
        contract,
        raw_value: String(rawValue),
        block_number: blockNumber,
      },
      "an unsupported token reached one of our addresses; `daric find --unsupported` lists it",
    );
  }
}
