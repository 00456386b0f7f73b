import type { NodeError, NodeFault } from "../chain/blocks/node-error.ts";
import type { NodesContext } from "./context.ts";

/** Only people can mend these, so they are told, but not at every answer. */
const FAULTS_TO_REPORT = new Set<NodeFault>(["ahead_of_clock", "no_solidity", "contradicts_ours"]);
const REPORT_EVERY_MS = 60_000;
/** What a node failed longer ago says nothing about how it is. */
const RECENT_MS = 60_000;

/** What the nodes have failed lately, also where another one made it good. */
export type NodeFailures = {
  report(error: NodeError): void;
  /** Of each node that failed within the last minute the last failure, in words that anybody may read. */
  recent(): readonly string[];
};

/**
 * Counts every failure of a node; those that only people can mend are logged as errors, each once a minute. A clock that
 * keeps blocks from being read raises an alarm as often.
 */
export function createNodeFailures({
  clock,
  log,
  metrics,
}: Pick<NodesContext, "clock" | "log" | "metrics">): NodeFailures {
  const reportedMs = new Map<NodeFault, number>();
  const last = new Map<string, { message: string; atMs: number }>();

  function reportFailure({ fault, message }: NodeError): void {
    const isDue =
      clock.monotonicMs() - (reportedMs.get(fault) ?? Number.NEGATIVE_INFINITY) >= REPORT_EVERY_MS;
    if (!FAULTS_TO_REPORT.has(fault) || !isDue) {
      log.debug({ reason: fault, detail: message }, "a node failed");
      return;
    }
    reportedMs.set(fault, clock.monotonicMs());
    if (fault === "ahead_of_clock") metrics.alarms.inc({ alarm: fault });
    log.error(
      { reason: fault, detail: message },
      "what a node answers cannot be used, and only people can mend it",
    );
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
