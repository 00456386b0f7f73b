import type { NodeError } from "../chain/blocks/node-error.ts";
import type { Clock } from "../runtime/clock.ts";

/** How often a node has failed since the start, and how it did last. */
export type NodeFailureCount = { readonly count: number; readonly message: string; readonly atMs: number };

/** The failures of each node, for people who look. */
export type NodeTally = {
  note(error: NodeError): void;
  /** By the node's host; undefined where it has never failed. `atMs` by the monotonic clock. */
  of(node: string): NodeFailureCount | undefined;
};

export function createNodeTally(clock: Pick<Clock, "monotonicMs">): NodeTally {
  const failures = new Map<string, NodeFailureCount>();
  return {
    note: ({ node, safeMessage: message }) => {
      const count = (failures.get(node)?.count ?? 0) + 1;
      failures.set(node, { count, message, atMs: clock.monotonicMs() });
    },
    of: (node) => failures.get(node),
  };
}
