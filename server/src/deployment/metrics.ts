import { Counter, Gauge, type Registry } from "prom-client";
import { collectedGauge, type OpenCollector } from "../runtime/metrics.ts";

export type DeploymentMetrics = ReturnType<typeof createDeploymentMetrics>;
export type NodeMetrics = Pick<DeploymentMetrics, "nodeFailures">;

/** The result of a readiness check, by its name. */
export type CheckOutcome = { readonly name: string; readonly ok: boolean };

/** A readiness check has 3 s, and all run at once. */
const READINESS_WITHIN_MS = 4_000;

/** Metrics of the process, its readiness and node failures. */
export function createDeploymentMetrics(registers: Registry[], openCollector: OpenCollector) {
  const monthsAhead = openCollector<number>("partition_months_ahead");
  collectedGauge(
    {
      name: "daric_partition_months_ahead",
      help: "Months ahead for which partitions exist",
      registers,
    },
    monthsAhead,
    (value) => [{ value }],
  );
  const readiness = openCollector<readonly CheckOutcome[]>("ready", { withinMs: READINESS_WITHIN_MS });
  collectedGauge(
    {
      name: "daric_ready",
      help: "1 for a passing check of /readyz, 0 for a failing one",
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
      help: "Node answers that were refused or missing",
      labelNames: ["reason"],
      registers,
    }),
    buildInfo: new Gauge({
      name: "daric_build_info",
      help: "1, with the versions of the program, of Node and of the schema",
      labelNames: ["version", "node", "schema"],
      registers,
    }),
  };
}
