import { compareTransfers, type Drawing, isStanding } from "./compare-transfers.ts";
import type { BookedTransfer } from "./deep-store.ts";
import { type DrawnBlock, isStoring, joinNodes, oursOf, type Telling } from "./drawn-block.ts";
import { type Breakage, breakageOf } from "./invariant.ts";

/** What came of asking: how many answers were held against our books, what differs between nodes, and what did not come. */
export type NodeComparison = {
  readonly compared: number;
  readonly breakages: readonly Breakage[];
  readonly differences: readonly string[];
  readonly unanswered: readonly string[];
};

type Found = Omit<NodeComparison, "compared">;

/**
 * Holds blocks as the nodes tell them against our books, by the rule by which deposits are verified: what a block's root proves each
 * node proves alone, and of the rest what enough nodes tell alike. One node that tells otherwise is named and breaks nothing.
 */
export function compareBlocks({ told, booked, needed }: Drawing): NodeComparison {
  const blocks = told.map((block) => compareBlock(block, { told, booked, needed }));
  return {
    compared: told.filter(({ tellings }) => tellings.length > 0).length,
    breakages: blocks.flatMap(({ breakages }) => breakages),
    differences: [
      ...blocks.flatMap(({ differences }) => differences),
      ...nodesWithoutInternals(told, booked),
    ],
    unanswered: blocks.flatMap(({ unanswered }) => unanswered),
  };
}

function compareBlock(block: DrawnBlock, trial: Drawing): Found {
  const ours = oursOf(block);
  const header = compareHeader(block, { ours, needed: trial.needed });
  const transfers = compareTransfers(block.stored, ours, trial);
  return {
    breakages: [...header.breakages, ...transfers.breakages],
    differences: [...header.differences, ...transfers.differences],
    unanswered: [...block.unanswered, ...transfers.unanswered],
  };
}

/** The books are broken where enough nodes have the same other block, and too few have ours. */
function compareHeader(
  { stored: { number, id, parentId, transactionCount }, tellings }: DrawnBlock,
  { ours, needed }: { ours: readonly Telling[]; needed: number },
): Pick<Found, "breakages" | "differences"> {
  const others = tellings.filter((telling) => !ours.includes(telling));
  const alike = others.map((one) => others.filter((other) => other.id === one.id));
  const theirs = alike.find(({ length }) => length >= needed);
  const broken = (what: string, sample: string) => [breakageOf("I3", what, sample)];
  if (theirs !== undefined && ours.length < needed) {
    const sample = `${number} is ${theirs[0]?.id} to ${joinNodes(theirs)}`;
    return { breakages: broken("final block that the nodes tell otherwise", sample), differences: [] };
  }
  const [counted = { parentId, transactionCount }] = ours;
  const differences = others.map(
    (other) => `block ${number} is ${other.id} to ${other.node}, and ${id} to us`,
  );
  if (counted.parentId !== parentId) {
    const sample = `${number} follows ${counted.parentId}`;
    return { breakages: broken("final block that the nodes tell otherwise", sample), differences };
  }
  const sample = `${number} has ${counted.transactionCount}, and had ${transactionCount}`;
  const what = "block that has another number of transactions at the nodes";
  const isSame = counted.transactionCount === transactionCount;
  return { breakages: isSame ? [] : broken(what, sample), differences };
}

/** The nodes that show no internal transfer in a drawn block of ours where another one does, or our books have one. */
function nodesWithoutInternals(told: readonly DrawnBlock[], booked: readonly BookedTransfer[]): string[] {
  const withSome = told.filter(
    ({ stored, tellings }) =>
      tellings.some(({ showsInternals }) => showsInternals) ||
      booked.some((one) => one.blockId === stored.id && one.source === "internal" && isStanding(one)),
  );
  const nodes = new Set(withSome.flatMap((block) => oursOf(block).map(({ node }) => node)));
  return [...nodes].flatMap((node) =>
    isStoring(told, node) ? [] : [`${node} does not store internal transfers`],
  );
}
