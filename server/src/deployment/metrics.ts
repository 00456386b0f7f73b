import { Counter, Gauge, type Registry } from "prom-client";
import { collectedGauge, type OpenCollector } from "../runtime/metrics.ts";

export type DeploymentMetrics = ReturnType<typeof createDeploymentMetrics>;
/** What of it concerns nodes. */
export type NodeMetrics = Pick<DeploymentMetrics, "nodeFailures">;

/** Whether a check of readiness holds, by its name. */
export type CheckOutcome = { readonly name: string; readonly ok: boolean };

/** A check of readiness has 3 s, and all are made at once. */
const READINESS_WITHIN_MS = 4_000;

/** What a process is and whether it is ready, and how often nodes fail. */
export function createDeploymentMetrics(registers: Registry[], openCollector: OpenCollector) {
  const monthsAhead = openCollector<number>("partition_months_ahead");
  collectedGauge(
    {
      name: "daric_partition_months_ahead",
      help: "Months for which the tables that are kept by month stand ready",
      registers,
    },
    monthsAhead,
    (value) => [{ value }],
  );
  const readiness = openCollector<readonly CheckOutcome[]>("ready", { withinMs: READINESS_WITHIN_MS });
  collectedGauge(
    {
      name: "daric_ready",
      help: "1 for a check of /readyz that holds, 0 for one that does not",
      labelNames: ["check"],
      registers,
    },
    readiness,
    (checks) => checks.map(({ name, ok }) => ({ labels: { check: name }, value: ok ? 1 : 0 })),
  );
  return {
    monthsAhead,
    readiness,
    nodeFailures: new Counter({
      name: "daric_node_failures_total",
      help: "Answers of nodes that were refused or did not come",
      labelNames: ["reason"],
      registers,
    }),
    buildInfo: new Gauge({
      name: "daric_build_info",
      help: "1, with the versions of the program and of Node, and of the schema that it works on",
      labelNames: ["version", "node", "schema"],
      registers,
    }),
  };
}
