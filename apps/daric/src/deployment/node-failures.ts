import type { NodeError, NodeFault } from "@daric/chain/blocks/node-error";
import type { HostWatch } from "@daric/chain/nodes/watch-host";
import { createOutage, type Outage, outagePace } from "@daric/runtime/outage";
import type { NodesContext } from "./context.ts";

/** Only an operator can fix these, so they are logged, once a minute each. */
const FAULTS_TO_REPORT = ["ahead_of_clock", "no_solidity", "contradicts_ours"] as const;
const REPORT_EVERY_MS = 60_000;
/** An older failure says nothing about a node's current state. */
const RECENT_MS = 60_000;

/** The number of a node's failures since the start, and the last one. */
type CountedFailure = { readonly count: number; readonly message: string; readonly atMs: number };

/** The failures of the nodes, even if another node answered. */
export type NodeFailures = {
  report(error: NodeError): void;
  /** The last failure of each node that failed within the last minute, in public words. */
  recent(): readonly string[];
  /** By the node's host; undefined without failures. `atMs` is monotonic. */
  of(node: string): CountedFailure | undefined;
};

/**
 * Counts every failure of a node. Failures for the operator are logged as errors, each once a minute. A wrong
 * clock of this machine also raises an alarm.
 */
export function createNodeFailures({
  clock,
  log,
  metrics,
}: Pick<NodesContext, "clock" | "log" | "metrics">): NodeFailures {
  const reportedMs = new Map<NodeFault, number>();
  const last = new Map<string, CountedFailure>();

  function reportFailure({ fault, message }: NodeError): void {
    const event = FAULTS_TO_REPORT.find((name) => name === fault);
    const isDue =
      clock.monotonicMs() - (reportedMs.get(fault) ?? Number.NEGATIVE_INFINITY) >= REPORT_EVERY_MS;
    if (event === undefined || !isDue) {
      log.debug({ reason: fault, detail: message }, "a node failed");
      return;
    }
    reportedMs.set(fault, clock.monotonicMs());
    if (event === "ahead_of_clock") metrics.alarms.inc({ alarm: event });
    log.error({ event, detail: message }, "an operator must look at this node: its answer cannot be used");
  }

  return {
    report: (error) => {
      metrics.nodeFailures.inc({ reason: error.fault });
      const count = (last.get(error.node)?.count ?? 0) + 1;
      last.set(error.node, { count, message: error.safeMessage, atMs: clock.monotonicMs() });
      reportFailure(error);
    },
    recent: () =>
      [...last.values()].flatMap(({ message, atMs }) =>
        clock.monotonicMs() - atMs < RECENT_MS ? message : [],
      ),
    of: (node) => last.get(node),
  };
}

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
