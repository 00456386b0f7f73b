export type RescanNode = {
  readonly node: string;
  /** the number of blocks on which it agrees with our chain */
  readonly shown: number;
  readonly notShown: number;
  /** why it did not agree on the last of the other blocks */
  readonly reason: string | null;
};

/** The answer of a node about a block. `reason`: why the node does not have our block, if so. */
export type RescanAnswer = { readonly node: string; readonly reason: string | undefined };

/** The nodes after their answers about one more block, by name. */
export function countAnswers(nodes: readonly RescanNode[], answers: readonly RescanAnswer[]): RescanNode[] {
  const counted = new Map(nodes.map((node) => [node.node, node]));
  for (const { node, reason } of answers) {
    const before = counted.get(node) ?? { node, shown: 0, notShown: 0, reason: null };
    counted.set(
      node,
      reason === undefined
        ? { ...before, shown: before.shown + 1 }
        : { ...before, notShown: before.notShown + 1, reason },
    );
  }
  return [...counted.values()].sort((left, right) => (left.node < right.node ? -1 : 1));
}
