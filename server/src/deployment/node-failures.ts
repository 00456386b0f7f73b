import type { NodeError, NodeFault } from "../chain/blocks/node-error.ts";
import type { NodesContext } from "./context.ts";

/** Only an operator can fix these, so they are logged, once a minute each. */
const FAULTS_TO_REPORT = ["ahead_of_clock", "no_solidity", "contradicts_ours"] as const;
const REPORT_EVERY_MS = 60_000;
/** An older failure says nothing about a node's current state. */
const RECENT_MS = 60_000;

/** Recent failures of the nodes, even if another node answered. */
export type NodeFailures = {
  report(error: NodeError): void;
  /** The last failure of each node that failed within the last minute, in public words. */
  recent(): readonly string[];
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
  const last = new Map<string, { message: string; atMs: number }>();

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
      last.set(error.node, { message: error.safeMessage, atMs: clock.monotonicMs() });
      reportFailure(error);
    },
    recent: () =>
      [...last.values()].flatMap(({ message, atMs }) =>
        clock.monotonicMs() - atMs < RECENT_MS ? message : [],
      ),
  };
}
