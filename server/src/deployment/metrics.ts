import { Counter, type Registry } from "prom-client";

export type NodeMetrics = ReturnType<typeof createNodeMetrics>;

/** How often nodes fail. */
export function createNodeMetrics(registers: Registry[]) {
  return {
    nodeFailures: new Counter({
      name: "daric_node_failures_total",
      help: "Answers of nodes that were refused or did not come",
      labelNames: ["reason"],
      registers,
    }),
  };
}
