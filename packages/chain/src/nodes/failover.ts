import { isMissingBlock, moreSpecific, NodeError } from "../blocks/node-error.ts";
import type { TronNode } from "./chain-reader.ts";
import { afterFailure, afterSuccess, failoverOrder, type NodeHealth } from "./node-health.ts";

export type KnownNode = { readonly node: TronNode; health: NodeHealth };

/** Calls the nodes in failover order until one answers validly. @throws NodeError the most specific of their failures. */
export async function withFailover<T>(
  known: readonly KnownNode[],
  { now, onFailure }: { now: () => number; onFailure: (error: NodeError) => void },
  call: (node: TronNode) => Promise<T>,
): Promise<T> {
  let failure: NodeError | undefined;
  for (const candidate of failoverOrder(known, now())) {
    const healthBefore = candidate.health;
    try {
      const answer = await call(candidate.node);
      candidate.health = afterSuccess(candidate.health, healthBefore);
      return answer;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      failure = failure === undefined ? error : moreSpecific(failure, error);
      if (isMissingBlock(error)) continue;
      candidate.health = afterFailure(candidate.health, error, now());
      onFailure(error);
    }
  }
  throw failure ?? allPaused(known, now());
}

function allPaused(known: readonly KnownNode[], now: number): NodeError {
  const retryAfterMs = Math.min(...known.map(({ health }) => health.pausedUntil)) - now;
  const node = known.map((failure) => failure.node.label).join(", ");
  return new NodeError("left alone after a rate limit", { fault: "rate_limited", node, retryAfterMs });
}
