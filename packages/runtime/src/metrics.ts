import { Counter, collectDefaultMetrics, Gauge, type GaugeConfiguration, Registry } from "prom-client";
import { alarmNames } from "./log-events.ts";
import { createScrapeCollector, type ScrapeCollector } from "./scrape-collector.ts";

/** A registry per process, so that two services in one test do not share counters. */
export function createRegistry(options: { processMetrics: boolean }): Registry {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}

export type AlarmMetrics = ReturnType<typeof createAlarmMetrics>;

/** The metric of alarms. */
export const ALARMS = "daric_alarms_total";
const MAX_WORDS = 300;

/**
 * Counts alarms, and those about one node by its host. Each starts at 0, because Prometheus cannot see the rise of a counter whose first
 * sample is 1. `alarmWords` has what the newest alarm about a node found.
 */
export function createAlarmMetrics(registers: Registry[]) {
  const alarms = new Counter<"alarm" | "node">({
    name: ALARMS,
    help: "Events that must never happen; an operator must look at each",
    labelNames: ["alarm", "node"],
    registers,
  });
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0);
  return { alarms, alarmWords: new Map<string, string>() };
}

/** The key of `alarmWords`. */
export function alarmKey({ alarm, node = "" }: { alarm?: string; node?: string }): string {
  return `${alarm} ${node}`;
}

/** Raises an alarm about a node. The alert repeats the words, so they are ours: a node's own text may have a gateway's key. */
export function raiseNodeAlarm(
  { alarms, alarmWords }: AlarmMetrics,
  { words, ...labels }: { alarm: (typeof alarmNames)[number]; node?: string; words: string },
): void {
  alarms.inc(labels);
  alarmWords.set(alarmKey(labels), words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words);
}

export type OpenCollector = <T>(name: string, options?: { withinMs?: number }) => ScrapeCollector<T>;

/** Collectors run only during a scrape. A failed one costs its own samples only. */
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

/** A gauge without labels that emits no sample until it is first set, to avoid a false 0. */
export function unsetGauge(about: Omit<GaugeConfiguration<never>, "labelNames">): Gauge<never> {
  const gauge = new Gauge<never>(about);
  gauge.remove();
  return gauge;
}

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** A gauge that a collector fills at each scrape; without samples while the collector returns undefined. */
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
