import type { Scrape, ScrapedSample } from "./scrape.ts";

/** A number for one set of labels. */
export type Series = Pick<ScrapedSample, "labels" | "value">;

/** A window of time, as Prometheus writes it. */
export type Duration = `${number}${"m" | "h"}`;

/** A part of a rule, of a kind: it prints itself as PromQL, and evaluates itself on samples. */
type Part<K> = {
  readonly kind: K;
  readonly promql: string;
  /** the metrics that it needs */
  readonly metrics: readonly string[];
  /** whether it counts rises in a window of the past */
  readonly countsWindow: boolean;
  /** The values at the last of these scrapes, which are in order of time. */
  valuesIn(scrapes: readonly Scrape[]): readonly Series[];
};

/** The samples of a metric with certain labels. */
type Metric = Part<"metric"> & {
  readonly labels: Readonly<Record<string, LabelMatch>>;
  samplesOf(scrape: Scrape | undefined): readonly Series[];
};
/** Numbers that stand without brackets anywhere. */
type Operand = Metric | Part<"operand">;
/** Numbers that can be compared. */
type Quantity = Operand | Part<"arithmetic">;
/** It holds for each set of labels that it has a value for. */
export type Condition = Part<"condition">;

/** One value of a label, a list of them, or any other one. */
type LabelMatch = string | readonly string[] | { readonly not: string };

export function secondsOf(duration: Duration): number {
  return Number.parseInt(duration, 10) * (duration.endsWith("h") ? 3_600 : 60);
}

export function metric(name: string, labels: Metric["labels"] = {}): Metric {
  const matches = Object.entries(labels);
  const fits = (sample: ScrapedSample) =>
    sample.metric === name && matches.every(([label, match]) => isMatched(sample.labels[label] ?? "", match));
  const samplesOf = (scrape: Scrape | undefined) =>
    (scrape?.samples ?? []).filter(fits).map(({ labels, value }) => ({ labels, value }));
  const inner = matches.map(([label, match]) => matchText(label, match)).join(",");
  return {
    kind: "metric",
    promql: inner === "" ? name : `${name}{${inner}}`,
    metrics: [name],
    countsWindow: false,
    valuesIn: (scrapes) => samplesOf(scrapes.at(-1)),
    labels,
    samplesOf,
  };
}

function isMatched(value: string, match: LabelMatch): boolean {
  if (typeof match === "string") return value === match;
  return "not" in match ? value !== match.not : match.includes(value);
}

function matchText(label: string, match: LabelMatch): string {
  if (typeof match === "string") return `${label}="${match}"`;
  return "not" in match ? `${label}!="${match.not}"` : `${label}=~"${match.join("|")}"`;
}

/** The rises of a counter in a window: they need two samples, are not extrapolated, and a restart counts from zero. */
export function increase(counter: Metric, window: Duration): Operand {
  const valuesIn = (scrapes: readonly Scrape[]) => {
    const from = (scrapes.at(-1)?.atSeconds ?? 0) - secondsOf(window);
    const rises = new Map<string, { labels: Series["labels"]; rise: number; last: number; count: number }>();
    for (const scrape of scrapes.filter(({ atSeconds }) => atSeconds >= from)) {
      for (const { labels, value } of counter.samplesOf(scrape)) {
        const known = rises.get(labelsText(labels)) ?? { labels, rise: 0, last: value, count: 0 };
        const rise = known.rise + (value >= known.last ? value - known.last : value);
        rises.set(labelsText(labels), { labels, rise, last: value, count: known.count + 1 });
      }
    }
    return [...rises.values()]
      .filter(({ count }) => count > 1)
      .map(({ labels, rise }) => ({ labels, value: rise }));
  };
  const promql = `increase(${counter.promql}[${window}])`;
  return { ...part("operand", { promql, operands: [counter], valuesIn }), countsWindow: true };
}

export const max = aggregate("max", (values) => Math.max(...values));
export const min = aggregate("min", (values) => Math.min(...values));
export const sum = aggregate("sum", (values) => values.reduce((total, value) => total + value, 0));

/** One number for each set of the kept labels. */
function aggregate(name: string, reduce: (values: readonly number[]) => number) {
  return (operand: Operand, ...kept: readonly string[]): Operand => {
    const by = kept.length === 0 ? "" : ` by (${kept.join(", ")}) `;
    const valuesIn = (scrapes: readonly Scrape[]) => {
      const groups = new Map<string, { labels: Series["labels"]; values: number[] }>();
      for (const { labels, value } of operand.valuesIn(scrapes)) {
        const own = Object.fromEntries(Object.entries(labels).filter(([label]) => kept.includes(label)));
        const group = groups.get(labelsText(own)) ?? { labels: own, values: [] };
        group.values.push(value);
        groups.set(labelsText(own), group);
      }
      return [...groups.values()].map(({ labels, values }) => ({ labels, value: reduce(values) }));
    };
    return part("operand", { promql: `${name}${by}(${operand.promql})`, operands: [operand], valuesIn });
  };
}

/** The seconds that have passed since these times. */
export function age(times: Operand): Quantity {
  const valuesIn = (scrapes: readonly Scrape[]) => {
    const now = scrapes.at(-1)?.atSeconds ?? 0;
    return times.valuesIn(scrapes).map(({ labels, value }) => ({ labels, value: now - value }));
  };
  return part("arithmetic", { promql: `time() - ${times.promql}`, operands: [times], valuesIn });
}

export const difference = combination("-", (left, right) => left - right);
export const ratio = combination("/", (left, right) => left / right);

/** A series pairs with the one that has the same labels. */
function combination(sign: string, combine: (left: number, right: number) => number) {
  return (left: Operand, right: Operand): Quantity => {
    const valuesIn = (scrapes: readonly Scrape[]) => {
      const others = new Map(right.valuesIn(scrapes).map(({ labels, value }) => [labelsText(labels), value]));
      return left.valuesIn(scrapes).flatMap(({ labels, value }) => {
        const other = others.get(labelsText(labels));
        return other === undefined ? [] : [{ labels, value: combine(value, other) }];
      });
    };
    return part("arithmetic", {
      promql: `${left.promql} ${sign} ${right.promql}`,
      operands: [left, right],
      valuesIn,
    });
  };
}

export const above = comparison(">", (value, limit) => value > limit);
export const below = comparison("<", (value, limit) => value < limit);
export const equals = comparison("==", (value, limit) => value === limit);

function comparison(sign: string, holds: (value: number, limit: number) => boolean) {
  return (quantity: Quantity, limit: number): Condition => {
    const valuesIn = (scrapes: readonly Scrape[]) =>
      quantity.valuesIn(scrapes).filter(({ value }) => holds(value, limit));
    return part("condition", {
      promql: `${quantity.promql} ${sign} ${limit}`,
      operands: [quantity],
      valuesIn,
    });
  };
}

/** It holds if there is no value, with the labels that the metric must have. */
export function absent(operand: Metric | Condition): Condition {
  const matches = operand.kind === "metric" ? Object.entries(operand.labels) : [];
  const labels = Object.fromEntries(
    matches.flatMap(([label, match]) => (typeof match === "string" ? [[label, match]] : [])),
  );
  const valuesIn = (scrapes: readonly Scrape[]) =>
    operand.valuesIn(scrapes).length > 0 ? [] : [{ labels, value: 1 }];
  return part("condition", { promql: `absent(${operand.promql})`, operands: [operand], valuesIn });
}

/** It holds for each set of labels for which one of the conditions holds; the first one gives the value. */
export function either(...conditions: readonly Condition[]): Condition {
  const promql = conditions.map((condition) => condition.promql).join(" or ");
  const valuesIn = (scrapes: readonly Scrape[]) => {
    const held = new Map<string, Series>();
    for (const series of conditions.flatMap((condition) => condition.valuesIn(scrapes)))
      if (!held.has(labelsText(series.labels))) held.set(labelsText(series.labels), series);
    return [...held.values()];
  };
  return part("condition", { promql, operands: conditions, valuesIn });
}

function part<K>(
  kind: K,
  {
    operands,
    ...own
  }: Pick<Part<K>, "promql" | "valuesIn"> & {
    readonly operands: readonly Pick<Part<unknown>, "metrics" | "countsWindow">[];
  },
): Part<K> {
  return {
    kind,
    ...own,
    metrics: operands.flatMap(({ metrics }) => metrics),
    countsWindow: operands.some(({ countsWindow }) => countsWindow),
  };
}

/** The labels as one text: JSON with sorted names. */
export function labelsText(labels: Series["labels"]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(labels).toSorted()));
}
