import type { Matches } from "../deposits/record/match-transfers.ts";
import type { FinalBlock } from "./deep-store.ts";

/** What one node tells of a block. */
export type Telling = {
  readonly node: string;
  readonly id: string;
  readonly parentId: string;
  readonly transactionCount: number;
  readonly showsInternals: boolean;
  readonly matches: Matches;
};

/** Nodes that are named together. */
export type Nodes = readonly { readonly node: string }[];

export function joinNodes(nodes: Nodes): string {
  return nodes.map(({ node }) => node).join(" and ");
}

/** A block of ours as the nodes tell it, and which of them did not. */
export type DrawnBlock = {
  readonly stored: FinalBlock;
  readonly tellings: readonly Telling[];
  readonly unanswered: readonly string[];
};

/** The tellings of the block that we have. */
export function oursOf({ stored, tellings }: DrawnBlock): Telling[] {
  return tellings.filter(({ id }) => id === stored.id);
}

/** Whether a node shows an internal transfer in any of these blocks: otherwise it may not store them. */
export function isStoring(told: readonly DrawnBlock[], node: string): boolean {
  return told.some(({ tellings }) =>
    tellings.some((telling) => telling.node === node && telling.showsInternals),
  );
}
