import type { Matches } from "../deposits/record/match-transfers.ts";
import type { FinalBlock } from "./deep-store.ts";

/** What one node tells of a block. */
export type NodeResponse = {
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
export type SampledBlock = {
  readonly stored: FinalBlock;
  readonly responses: readonly NodeResponse[];
  readonly unanswered: readonly string[];
};

/** The responses about the block that we have. */
export function oursOf({ stored, responses }: SampledBlock): NodeResponse[] {
  return responses.filter(({ id }) => id === stored.id);
}

/** Whether a node shows an internal transfer in any of these blocks: otherwise it may not store them. */
export function isStoring(sampled: readonly SampledBlock[], node: string): boolean {
  return sampled.some(({ responses }) =>
    responses.some((response) => response.node === node && response.showsInternals),
  );
}
