import type { HostWatch } from "../chain/nodes/watch-host.ts";
import { createOutage, type Outage, outagePace } from "../runtime/outage.ts";
import type { NodesContext } from "./context.ts";

const MESSAGES = {
  begins: "a node does not answer: other nodes come first; without another node the chain cannot be read",
  lasts: "the node still does not answer",
  ends: "the node answers again",
};

/** The outage of a node that answers now and then continues. A failed node is queried again within this time. */
const PACE = { ...outagePace, calmMs: 30_000 };
/** A single lost answer is normal. */
const FAILURES_TO_BEGIN = 2;

/** The outages of the nodes, separately for each. */
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
