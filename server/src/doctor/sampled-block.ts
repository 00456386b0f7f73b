import type { Matches } from "../deposits/record/match-transfers.ts";
import type { FinalBlock } from "./deep-store.ts";

/** One node's answer about a block. */
export type NodeResponse = {
  readonly node: string;
  readonly id: string;
  readonly parentId: string;
  readonly transactionCount: number;
  readonly showsInternals: boolean;
  readonly matches: Matches;
};

/** Nodes with the same answer. */
export type Nodes = readonly { readonly node: string }[];

export function joinNodes(nodes: Nodes): string {
  return nodes.map(({ node }) => node).join(" and ");
}

/** A block of ours with the nodes' answers, and the nodes without one. */
export type SampledBlock = {
  readonly stored: FinalBlock;
  readonly responses: readonly NodeResponse[];
  readonly unanswered: readonly string[];
};

/** The nodes' answers with our block. */
export function oursOf({ stored, responses }: SampledBlock): NodeResponse[] {
  return responses.filter(({ id }) => id === stored.id);
}

/** Whether a node has an internal transfer in any of these blocks: otherwise it may not store them. */
export function isStoring(sampled: readonly SampledBlock[], node: string): boolean {
  return sampled.some(({ responses }) =>
    responses.some((response) => response.node === node && response.showsInternals),
  );
}
