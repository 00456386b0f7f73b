import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What an operator watches. Labels come from closed sets only: no ids, no addresses, no URLs. */
export type Metrics = ReturnType<typeof createMetrics>;

/** A registry of its own for each process, so that two services in one test do not share counters. */
export function createMetrics(options: { processMetrics: boolean }) {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpRequests: new Histogram({
      name: "daric_http_request_seconds",
      help: "Time to answer a request, by route and status",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    scannedBlock: new Gauge({
      name: "daric_scanned_block",
      help: "Number of the last block that was read whole",
      registers,
    }),
    headBlock: new Gauge({ name: "daric_head_block", help: "Number of the node's head block", registers }),
    solidBlock: new Gauge({
      name: "daric_solid_block",
      help: "Number of the last solid block seen",
      registers,
    }),
    deposits: new Counter({
      name: "daric_deposit_transitions_total",
      help: "Deposits by the status they reached",
      labelNames: ["status", "currency"],
      registers,
    }),
    forks: new Counter({ name: "daric_forks_total", help: "Forks followed to their ancestor", registers }),
    alarms: new Counter({
      name: "daric_alarms_total",
      help: "What must never happen and somebody must look at",
      labelNames: ["alarm"],
      registers,
    }),
    nodeFailures: new Counter({
      name: "daric_node_failures_total",
      help: "Answers of nodes that were refused or did not come",
      labelNames: ["reason"],
      registers,
    }),
    webhookAttempts: new Counter({
      name: "daric_webhook_attempts_total",
      help: "Webhook attempts by result",
      labelNames: ["result"],
      registers,
    }),
    webhookSeconds: new Histogram({
      name: "daric_webhook_attempt_seconds",
      help: "Time from dialling a receiver to its answer",
      registers,
    }),
  };
}
