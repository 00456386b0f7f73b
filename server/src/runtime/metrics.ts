import { Counter, collectDefaultMetrics, Gauge, type GaugeConfiguration, Registry } from "prom-client";
import { alarms as alarmNames } from "./log-events.ts";
import { createScrapeCollector, type ScrapeCollector } from "./scrape-collector.ts";

/** A registry of its own for each process, so that two services in one test do not share counters. */
export function createRegistry(options: { processMetrics: boolean }): Registry {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}

export type AlarmMetrics = ReturnType<typeof createAlarmMetrics>;

/** What any room may raise. Each begins at zero: of a counter that is born with one, nobody sees a rise. */
export function createAlarmMetrics(registers: Registry[]) {
  const alarms = new Counter<"alarm">({
    name: "daric_alarms_total",
    help: "Events that must never happen; an operator must look at each",
    labelNames: ["alarm"],
    registers,
  });
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0);
  return { alarms };
}

/** Makes a collector whose failures are counted under this name. */
export type OpenCollector = <T>(name: string, options?: { withinMs?: number }) => ScrapeCollector<T>;

/** What is asked only when numbers are read. A question that fails costs its own samples and no others. */
export function createCollectors(registers: Registry[]): OpenCollector {
  const failures = new Counter({
    name: "daric_metrics_collector_failures_total",
    help: "Queries for metrics that failed or took too long, so that their samples are missing",
    labelNames: ["collector"],
    registers,
  });
  return (collector, options) => {
    failures.inc({ collector }, 0);
    return createScrapeCollector(() => failures.inc({ collector }), options);
  };
}

/** A gauge without labels and, until it is set, without a sample: a zero that nobody has seen would be one. */
export function unsetGauge(about: Omit<GaugeConfiguration<never>, "labelNames">): Gauge<never> {
  const gauge = new Gauge<never>(about);
  gauge.remove();
  return gauge;
}

/** Of a gauge; the labels as it declares them. */
export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** A gauge of what a collector tells whenever it is read, without samples while that tells nothing. */
export function collectedGauge<T>(
  about: GaugeConfiguration<string>,
  collector: Pick<ScrapeCollector<T>, "read">,
  samplesOf: (known: T) => readonly Sample[],
): void {
  new Gauge<string>({
    ...about,
    async collect() {
      const known = await collector.read();
      if (about.labelNames === undefined) this.remove();
      else this.reset();
      if (known === undefined) return;
      for (const { labels = {}, value } of samplesOf(known)) this.set(labels, value);
    },
  });
}
