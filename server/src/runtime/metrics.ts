import { collectDefaultMetrics, Registry } from "prom-client";

/** A registry of its own for each process, so that two services in one test do not share counters. */
export function createRegistry(options: { processMetrics: boolean }): Registry {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}
