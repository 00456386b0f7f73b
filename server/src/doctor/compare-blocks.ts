import { type BlockComparison, compareTransfers, isStanding } from "./compare-transfers.ts";
import type { StoredTransfer } from "./deep-store.ts";
import { type Violation, violationOf } from "./invariant.ts";
import { isStoring, joinNodes, type NodeResponse, oursOf, type SampledBlock } from "./sampled-block.ts";

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
  const blocks = sampled.map((block) => compareBlock(block, { sampled, storedTransfers, needed }));
  return {
    compared: sampled.filter(({ responses }) => responses.length > 0).length,
    violations: blocks.flatMap(({ violations }) => violations),
    differences: [
      ...blocks.flatMap(({ differences }) => differences),
      ...nodesWithoutInternals(sampled, storedTransfers),
    ],
    unanswered: blocks.flatMap(({ unanswered }) => unanswered),
  };
}

function compareBlock(block: SampledBlock, trial: BlockComparison): Found {
  const ours = oursOf(block);
  const header = compareHeader(block, { ours, needed: trial.needed });
  const transfers = compareTransfers(block.stored, ours, trial);
  return {
    violations: [...header.violations, ...transfers.violations],
    differences: [...header.differences, ...transfers.differences],
    unanswered: [...block.unanswered, ...transfers.unanswered],
  };
}

/** A violation if enough nodes have the same other block, and too few have ours. */
function compareHeader(
  { stored: { number, id, parentId, transactionCount }, responses }: SampledBlock,
  { ours, needed }: { ours: readonly NodeResponse[]; needed: number },
): Pick<Found, "violations" | "differences"> {
  const others = responses.filter((response) => !ours.includes(response));
  const alike = others.map((one) => others.filter((other) => other.id === one.id));
  const theirs = alike.find(({ length }) => length >= needed);
  const broken = (what: string, sample: string) => [violationOf("I3", what, sample)];
  if (theirs !== undefined && ours.length < needed) {
    const sample = `${number} is ${theirs[0]?.id} to ${joinNodes(theirs)}`;
    return { violations: broken("final block that is another one at the nodes", sample), differences: [] };
  }
  const [counted = { parentId, transactionCount }] = ours;
  const differences = others.map(
    (other) => `block ${number} is ${other.id} to ${other.node}, and ${id} to us`,
  );
  if (counted.parentId !== parentId) {
    const sample = `${number} follows ${counted.parentId}`;
    return { violations: broken("final block that is another one at the nodes", sample), differences };
  }
  const sample = `${number} has ${counted.transactionCount}, and had ${transactionCount}`;
  const what = "block that has another number of transactions at the nodes";
  const isSame = counted.transactionCount === transactionCount;
  return { violations: isSame ? [] : broken(what, sample), differences };
}

/** Nodes without internal transfers in a sampled block that has some, at another node or in the database. */
function nodesWithoutInternals(
  sampled: readonly SampledBlock[],
  storedTransfers: readonly StoredTransfer[],
): string[] {
  const withSome = sampled.filter(
    ({ stored, responses }) =>
      responses.some(({ showsInternals }) => showsInternals) ||
      storedTransfers.some(
        (one) => one.blockId === stored.id && one.source === "internal" && isStanding(one),
      ),
  );
  const nodes = new Set(withSome.flatMap((block) => oursOf(block).map(({ node }) => node)));
  return [...nodes].flatMap((node) =>
    isStoring(sampled, node) ? [] : [`${node} does not store internal transfers`],
  );
}
