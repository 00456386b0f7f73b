import { Counter, collectDefaultMetrics, Registry } from "prom-client";

/** A registry of its own for each process, so that two services in one test do not share counters. */
export function createRegistry(options: { processMetrics: boolean }): Registry {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}

export type AlarmMetrics = ReturnType<typeof createAlarmMetrics>;

/** What any room may raise. */
export function createAlarmMetrics(registers: Registry[]) {
  return {
    alarms: new Counter({
      name: "daric_alarms_total",
      help: "What must never happen and somebody must look at",
      labelNames: ["alarm"],
      registers,
    }),
  };
}
