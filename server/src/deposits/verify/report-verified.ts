import type { WatcherContext } from "../context.ts";
import { reportBlock } from "../record/report-block.ts";
import { reportDeposits } from "../report-deposits.ts";
import type { VerifiedBlock } from "./read-blocks.ts";
import type { Correction } from "./write-verified.ts";

export function reportCorrection(
  context: WatcherContext,
  { verified: { block }, withdrawn, recorded, omitted: deposits }: Correction,
): void {
  reportDeposits(context, withdrawn);
  reportBlock(context, { ...recorded, anomalies: [], unparsed: 0 });
  if (withdrawn.length + deposits > 0) {
    context.metrics.alarms.inc({ alarm: "omitted_transfer" });
    context.log.error(
      {
        event: "omitted_transfer",
        block_number: block.number,
        node: block.sourceNode,
        deposits,
        withdrawn: withdrawn.length,
      },
      "the node that read this block first reported it wrongly; the deposits now follow the quorum",
    );
  }
}

export function reportOutvoted(context: WatcherContext, blocks: readonly VerifiedBlock[]): void {
  for (const { block, quorum } of blocks) {
    const outvoted = quorum?.outvoted ?? [];
    for (const node of new Set(outvoted.map((one) => one.node))) {
      const txIds = outvoted.filter((one) => one.node === node).map(({ txId }) => txId);
      context.metrics.alarms.inc({ alarm: "single_node_transfer" });
      context.log.error(
        { event: "single_node_transfer", block_number: block.number, node, tx_ids: txIds },
        "a node reports a solid block differently from the quorum",
      );
    }
  }
}
