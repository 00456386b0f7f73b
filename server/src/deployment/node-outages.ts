import type { HostWatch } from "../chain/nodes/watch-host.ts";
import { createOutage, type Outage, outagePace } from "../runtime/outage.ts";
import type { NodesContext } from "./context.ts";

const MESSAGES = {
  begins:
    "a node does not answer: other nodes are asked first; without another node nothing is read from the chain",
  lasts: "the node still does not answer",
  ends: "the node answers again",
};

/** A node that answers every other time is no use; one that failed is asked again within this time. */
const PACE = { ...outagePace, calmMs: 30_000 };
/** One lost answer is weather. */
const FAILURES_TO_BEGIN = 2;

/** What all of a process know of its nodes being away, each by itself. */
export function createNodeOutages({
  log,
  clock,
}: Pick<NodesContext, "log" | "clock">): HostWatch & { stop(): void } {
  const outages = new Map<string, Outage>();
  const outageOf = (node: string): Outage => {
    const facts = { event: "node_unreachable", node } as const;
    const known =
      outages.get(node) ??
      createOutage({ log, clock, facts, texts: MESSAGES, pace: PACE, failuresToBegin: FAILURES_TO_BEGIN });
    outages.set(node, known);
    return known;
  };
  return {
    answered: (node) => outages.get(node)?.answered(),
    away: ({ node, message }) => outageOf(node).failed(message),
    stop: () => {
      for (const outage of outages.values()) outage.stop();
    },
  };
}
