import type { NodeError } from "../chain/blocks/node-error.ts";
import type { Clock } from "../runtime/clock.ts";

/** The number of a node's failures since the start, and the last one. */
export type NodeFailureCount = { readonly count: number; readonly message: string; readonly atMs: number };

/** The failures of each node, for display. */
export type NodeTally = {
  count(error: NodeError): void;
  /** By the node's host; undefined without failures. `atMs` is monotonic. */
  of(node: string): NodeFailureCount | undefined;
};

export function createNodeTally(clock: Pick<Clock, "monotonicMs">): NodeTally {
  const failures = new Map<string, NodeFailureCount>();
  return {
    count: ({ node, safeMessage: message }) => {
      const failureCount = (failures.get(node)?.count ?? 0) + 1;
      failures.set(node, { count: failureCount, message, atMs: clock.monotonicMs() });
    },
    of: (node) => failures.get(node),
  };
}
