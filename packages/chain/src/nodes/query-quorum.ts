import { NodeError } from "../blocks/node-error.ts";
import type { NodeGroup, TronNode } from "./chain-reader.ts";

/**
 * Asks all nodes side by side, and answers what `needed` of them and more say. A node that fails has no say.
 *
 * @throws NodeError, that of a node which failed, where fewer answer.
 */
export async function queryQuorum<T>(
  { nodes }: Pick<NodeGroup, "nodes">,
  needed: number,
  question: (node: TronNode) => Promise<T>,
): Promise<readonly [T, ...T[]]> {
  const results = await Promise.allSettled(nodes.map((node) => question(node)));
  const answers: T[] = [];
  let failure: NodeError | undefined;
  for (const result of results) {
    if (result.status === "fulfilled") answers.push(result.value);
    else if (result.reason instanceof NodeError) failure = result.reason;
    else throw result.reason;
  }
  if (answers.length === 0 || answers.length < needed)
    throw failure ?? new NodeError("there is no node to ask", { fault: "unreachable", node: "the nodes" });
  return answers as [T, ...T[]];
}
