import type { NodeGroup } from "../../chain/nodes/chain-reader.ts";
import { raiseNodeAlarm } from "../../runtime/metrics.ts";
import type { WatcherContext } from "../context.ts";
import { reportBlock } from "../record/report-block.ts";
import { reportDeposits } from "../report-deposits.ts";
import type { Outvoted } from "./agree.ts";
import { describePaid, STORE_INTERNALS } from "./describe-votes.ts";
import { nodesWithoutInternals } from "./node-answers.ts";
import type { VerifyState } from "./state.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Verifier } from "./verifier.ts";
import type { Correction } from "./write-verified.ts";

/** A node that was outvoted about a transaction of a block. */
type OutvotedInBlock = Outvoted & { readonly blockNumber: number };

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

export function reportCorrection(
  context: WatcherContext,
  { verifying }: Pick<Verifier, "verifying">,
  { verified: { block }, withdrawn, recorded, omitted: deposits }: Correction,
): void {
  reportDeposits(context, withdrawn);
  reportBlock(context, { ...recorded, anomalies: [], unparsed: 0 });
  if (withdrawn.length + deposits === 0) return;
  const { sourceNode: node, number: blockNumber } = block;
  const now = [...recorded.transfers.detected, ...recorded.transfers.included];
  const [txId = ""] = [...withdrawn, ...now].map((deposit) => deposit.txId);
  const ofTransaction = (deposits: readonly (typeof now)[number][]) =>
    describePaid(deposits.filter((deposit) => deposit.txId === txId));
  const said = ofTransaction(withdrawn);
  const agreed = ofTransaction(now);
  // A node that does not store internal transactions omits them without a lie.
  const isLie = withdrawn.length > 0 || now.some(({ source }) => source !== "internal");
  if (node !== undefined && isLie) verifying.outvoted.set(node, { node, txId, blockNumber, said, agreed });
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
}

/** Reports each node that was outvoted, once for the same contradiction: blocks with waiting deposits are read again and again. */
export function reportOutvoted(
  context: WatcherContext,
  { verifying }: Pick<Verifier, "verifying">,
  blocks: readonly VerifiedBlock[],
): void {
  for (const { block, quorum } of blocks) {
    const outvoted = quorum?.outvoted ?? [];
    for (const node of new Set(outvoted.map((one) => one.node))) {
      const ofNode = outvoted.filter((one) => one.node === node);
      const [first] = ofNode;
      if (first === undefined || !isNewlyOutvoted(verifying, { ...first, blockNumber: block.number }))
        continue;
      const words = `it ${describeReport({ ...first, blockNumber: block.number })}`;
      raiseNodeAlarm(context.metrics, { alarm: "single_node_transfer", node, words });
      context.log.error(
        {
          event: "single_node_transfer",
          block_number: block.number,
          node,
          tx_ids: ofNode.map(({ txId }) => txId),
          reason: describeOutvoted({ ...first, blockNumber: block.number }),
        },
        "a node reports a solid block differently from the quorum",
      );
    }
  }
}

/** The most contradictions whose repetition is recognised. */
const MAX_KNOWN = 1_000;

function isNewlyOutvoted({ outvoted, reported }: VerifyState, found: OutvotedInBlock): boolean {
  outvoted.set(found.node, found);
  const key = describeOutvoted(found);
  if (reported.has(key)) return false;
  if (reported.size >= MAX_KNOWN) reported.clear();
  reported.add(key);
  return true;
}

/** Logs each such node once, until it shows an internal transaction again. */
export function reportWithoutInternals({ log }: Pick<WatcherContext, "log">, verifier: Verifier): void {
  const { withoutInternals } = verifier.verifying;
  const without = nodesWithoutInternals(verifier);
  for (const node of withoutInternals) if (!without.includes(node)) withoutInternals.delete(node);
  for (const node of without) {
    if (withoutInternals.has(node)) continue;
    withoutInternals.add(node);
    log.warn(
      { event: "internal_transactions_missing", node, reason: `${node}: ${STORE_INTERNALS}` },
      "a node does not store internal transactions, so it has no vote on TRX that contracts send",
    );
  }
}
