import { describeOthers } from "@daric/deposits/rescan/fetch-again";
import type { BlockSample } from "@daric/deposits/rescan/read-sample";
import {
  type BlockComparison,
  compareTransfers,
  isStanding,
  type SampledBlock,
} from "./compare-transfers.ts";
import type { FinalBlock, StoredTransfer } from "./deep-store.ts";
import { type Violation, violationOf } from "./invariant.ts";

/** The result of a comparison: the number of compared answers, differences between nodes, and failures. */
export type NodeComparison = {
  readonly compared: number;
  readonly violations: readonly Violation[];
  readonly differences: readonly string[];
  readonly unanswered: readonly string[];
};

type Found = Omit<NodeComparison, "compared">;

/**
 * Compares blocks of the nodes with the database, by the rule for verifying deposits. One node proves what
 * the block's root proves; enough equal answers prove the rest. A single deviating node is named and is no
 * violation.
 */
export function compareBlocks({ sampled, storedTransfers, needed }: BlockComparison): NodeComparison {
  const blocks = sampled.map((block) => compareBlock(block, { storedTransfers, needed }));
  return {
    compared: sampled.filter(({ sample }) => isCompared(sample)).length,
    violations: blocks.flatMap(({ violations }) => violations),
    differences: [
      ...blocks.flatMap(({ differences }) => differences),
      ...nodesWithoutInternals(sampled, storedTransfers),
    ],
    unanswered: blocks.flatMap(({ unanswered }) => unanswered),
  };
}

/** Whether some node shows our block completely, or has another one. */
function isCompared({ header, answers }: BlockSample): boolean {
  return header !== undefined || answers.some(({ otherId }) => otherId !== undefined);
}

function compareBlock(
  { stored, sample }: SampledBlock,
  trial: Pick<BlockComparison, "storedTransfers" | "needed">,
): Found {
  const transfers = compareTransfers(stored, sample, trial);
  return {
    violations: [...headerViolations(stored, sample, trial.needed), ...transfers.violations],
    differences: [...describeOthers(sample), ...transfers.differences],
    unanswered: [...sample.unanswered, ...transfers.unanswered],
  };
}

/** A violation if enough nodes have the same other block, and too few have ours. */
function headerViolations(
  { number, parentId, transactionCount }: FinalBlock,
  { answers, header }: BlockSample,
  needed: number,
): Violation[] {
  const what = "final block that is another one at the nodes";
  const ours = answers.filter(({ reason }) => reason === undefined);
  const others = answers.filter(({ otherId }) => otherId !== undefined);
  const alike = others.map(({ otherId }) => others.filter((peer) => peer.otherId === otherId));
  const theirs = alike.find(({ length }) => length >= needed);
  if (theirs !== undefined && ours.length < needed) {
    const nodes = theirs.map(({ node }) => node).join(" and ");
    return [violationOf("I3", what, `${number} is ${theirs[0]?.otherId} to ${nodes}`)];
  }
  if (header === undefined) return [];
  if (header.parentId !== parentId) return [violationOf("I3", what, `${number} follows ${header.parentId}`)];
  if (header.transactionCount === transactionCount) return [];
  const counted = "block that has another number of transactions at the nodes";
  const sample = `${number} has ${header.transactionCount}, and had ${transactionCount}`;
  return [violationOf("I3", counted, sample)];
}

/** Nodes without internal transfers in a sampled block that has some, at another node or in the database. */
function nodesWithoutInternals(
  sampled: readonly SampledBlock[],
  storedTransfers: readonly StoredTransfer[],
): string[] {
  const all = sampled.flatMap(({ sample }) => sample.runs);
  const storing = new Set(all.filter(({ storesInternals }) => storesInternals).map(({ node }) => node));
  const withSome = sampled.filter(
    ({ stored: { id }, sample }) =>
      sample.runs.some(({ storesInternals }) => storesInternals) ||
      storedTransfers.some(
        (stored) => stored.blockId === id && stored.source === "internal" && isStanding(stored),
      ),
  );
  const nodes = new Set(withSome.flatMap(({ sample }) => sample.runs.map(({ node }) => node)));
  return [...nodes]
    .filter((node) => !storing.has(node))
    .map((node) => `${node} does not store internal transfers`);
}
