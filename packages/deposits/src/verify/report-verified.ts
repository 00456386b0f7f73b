import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import { raiseNodeAlarm } from "@daric/runtime/metrics";
import type { WatcherContext } from "../context.ts";
import { reportBlock } from "../record/report-block.ts";
import { reportDeposits } from "../report-deposits.ts";
import { describePaid, STORE_INTERNALS } from "./describe-votes.ts";
import type { OutvotedInBlock, Reported } from "./state.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Correction } from "./write-verified.ts";

export function describeOutvoted({ node, ...found }: OutvotedInBlock): string {
  return `${node} ${describeReport(found)}`;
}

function describeReport({ txId, blockNumber, said, agreed }: Omit<OutvotedInBlock, "node">): string {
  return `reported transaction ${txId} of block ${blockNumber} differently from the quorum: ${said} instead of ${agreed}`;
}

/** Starts the counters of alarms about nodes at 0, because Prometheus cannot see the rise of a counter whose first sample is 1. */
export function startNodeAlarms(
  { metrics }: Pick<WatcherContext, "metrics">,
  { nodes }: Pick<NodeGroup, "nodes">,
): void {
  for (const { label: node } of nodes)
    for (const alarm of ["omitted_transfer", "single_node_transfer"] as const)
      metrics.alarms.inc({ alarm, node }, 0);
}

/** Returns the contradiction of the node that read the block first, if it is known and lied. */
export function reportCorrection(
  context: WatcherContext,
  { verified: { block }, withdrawn, recorded, omitted: deposits }: Correction,
): OutvotedInBlock | undefined {
  reportDeposits(context, withdrawn);
  reportBlock(context, { ...recorded, anomalies: [], unparsed: 0 });
  if (withdrawn.length + deposits === 0) return undefined;
  const { sourceNode: node, number: blockNumber } = block;
  const now = [...recorded.transfers.detected, ...recorded.transfers.included];
  const [txId = ""] = [...withdrawn, ...now].map((deposit) => deposit.txId);
  const inTransaction = (deposits: readonly (typeof now)[number][]) =>
    describePaid(deposits.filter((deposit) => deposit.txId === txId));
  const said = inTransaction(withdrawn);
  const agreed = inTransaction(now);
  // A node that does not store internal transactions omits them without a lie.
  const isLie = withdrawn.length > 0 || now.some(({ source }) => source !== "internal");
  const words = `it ${describeReport({ txId, blockNumber, said, agreed })}`;
  raiseNodeAlarm(context.metrics, { alarm: "omitted_transfer", ...(node !== undefined && { node }), words });
  context.log.error(
    {
      event: "omitted_transfer",
      block_number: blockNumber,
      node,
      deposits,
      withdrawn: withdrawn.length,
      reason: `${node ?? "a node"} said ${said} instead of ${agreed} in transaction ${txId}`,
    },
    "the node that read this block first reported it wrongly; the deposits now follow the quorum",
  );
  return node !== undefined && isLie ? { node, txId, blockNumber, said, agreed } : undefined;
}

/** The most contradictions whose repetition is recognised. */
const MAX_KNOWN = 1_000;

type Shown = { readonly blocks: readonly VerifiedBlock[]; readonly withoutInternals: readonly string[] };

/**
 * Reports each node that was outvoted, once for the same contradiction: blocks with waiting deposits are read again and again. A node
 * without internal transactions is logged once, until it shows one again.
 */
export function reportNodes(
  context: WatcherContext,
  reported: Reported,
  { blocks, withoutInternals }: Shown,
): Reported {
  const outvoted = new Map(reported.outvoted);
  const contradictions = new Set(reported.contradictions);
  for (const { block, quorum } of blocks) {
    const lies = quorum?.outvoted ?? [];
    for (const lie of lies) {
      const { node } = lie;
      if (lies.find((later) => later.node === node) !== lie) continue;
      const found = { ...lie, blockNumber: block.number };
      const reason = describeOutvoted(found);
      outvoted.set(node, found);
      if (contradictions.has(reason)) continue;
      if (contradictions.size >= MAX_KNOWN) contradictions.clear();
      contradictions.add(reason);
      const tx_ids = lies.filter((vote) => vote.node === node).map(({ txId }) => txId);
      raiseNodeAlarm(context.metrics, {
        alarm: "single_node_transfer",
        node,
        words: `it ${describeReport(found)}`,
      });
      context.log.error(
        { event: "single_node_transfer", block_number: block.number, node, tx_ids, reason },
        "a node reports a solid block differently from the quorum",
      );
    }
  }
  for (const node of withoutInternals.filter((node) => !reported.withoutInternals.includes(node)))
    context.log.warn(
      { event: "internal_transactions_missing", node, reason: `${node}: ${STORE_INTERNALS}` },
      "a node does not store internal transactions, so it has no vote on TRX that contracts send",
    );
  return { outvoted, contradictions, withoutInternals };
}
