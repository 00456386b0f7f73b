import type { Matcher, Promql, Selector } from "./parse-promql.ts";
import type { Scrape, ScrapedSample } from "./read-scrape.ts";

/** A scalar, or one number per set of labels. */
export type Evaluated = readonly Series[];
export type Series = { readonly labels: Readonly<Record<string, string>>; readonly value: number };
type Value = number | Evaluated;

/**
 * Evaluates an expression at the last of these scrapes, which are in order of time. Rises need two samples and are
 * not extrapolated. @throws TypeError for an unknown function or incompatible operands.
 */
export function evaluatePromql(expression: Promql, scrapes: readonly Scrape[]): Value {
  const last = scrapes.at(-1);
  if (last === undefined) throw new TypeError("nothing was scraped");
  const of = (inner: Promql) => evaluatePromql(inner, scrapes);
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "selector":
      return selected(expression, last);
    case "aggregate":
      return aggregated(expression, series(of(expression.of)));
    case "operation":
      return combined(expression.sign, of(expression.left), of(expression.right));
    case "call": {
      const [inner] = expression.of;
      if (expression.name === "time") return last.atSeconds;
      if (expression.name === "absent" && inner) return absent(inner, series(of(inner)));
      if (expression.name === "increase" && inner?.kind === "selector") return risen(inner, scrapes);
      throw new TypeError(`${expression.name} is not known here`);
    }
  }
}

function series(value: Value): Evaluated {
  if (typeof value === "number") throw new TypeError("a number has no labels");
  return value;
}

function selected(selector: Selector, { samples }: Scrape): Evaluated {
  return samples.filter((sample) => fits(sample, selector)).map(({ labels, value }) => ({ labels, value }));
}

function fits({ metric, labels }: ScrapedSample, selector: Selector): boolean {
  return metric === selector.metric && selector.matchers.every((matcher) => matches(labels, matcher));
}

function matches(labels: ScrapedSample["labels"], { label, sign, value }: Matcher): boolean {
  const found = labels[label] ?? "";
  const isEqual = sign.endsWith("~") ? value.split("|").includes(found) : found === value;
  return sign.startsWith("!") ? !isEqual : isEqual;
}

/** Restarts count from zero, as in Prometheus. */
function risen(selector: Promql & { kind: "selector" }, scrapes: readonly Scrape[]): Evaluated {
  const from = (scrapes.at(-1)?.atSeconds ?? 0) - (selector.windowSeconds ?? 0);
  const rises = new Map<string, { series: Series; last: number; count: number }>();
  for (const scraped of scrapes.filter(({ atSeconds }) => atSeconds >= from)) {
    for (const { labels, value } of selected(selector, scraped)) {
      const key = keyOf(labels);
      const { series: known, last, count } = rises.get(key) ?? { last: value, count: 0 };
      const rise = value >= last ? value - last : value;
      rises.set(key, {
        series: { labels, value: (known?.value ?? 0) + rise },
        last: value,
        count: count + 1,
      });
    }
  }
  return [...rises.values()].filter(({ count }) => count > 1).map((each) => each.series);
}

function absent(inner: Promql, found: Evaluated): Evaluated {
  if (found.length > 0) return [];
  const matchers = inner.kind === "selector" ? inner.matchers.filter(({ sign }) => sign === "=") : [];
  return [{ labels: Object.fromEntries(matchers.map(({ label, value }) => [label, value])), value: 1 }];
}

function aggregated({ name, by }: Promql & { kind: "aggregate" }, of: Evaluated): Evaluated {
  const groups = new Map<string, Series[]>();
  for (const one of of) {
    const key = keyOf(only(one.labels, by));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const values = group.map(({ value }) => value);
    const value = { sum: sumOf(values), count: values.length, min: Math.min(...values) }[name];
    return { labels: only(group[0]?.labels ?? {}, by), value: value ?? Math.max(...values) };
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function combined(sign: string, left: Value, right: Value): Value {
  if (sign === "or" || sign === "and" || sign === "unless") return chosen(sign, series(left), series(right));
  if (typeof left === "number" && typeof right === "number") return calculated(sign, left, right);
  const pairs = pairsOf(left, right);
  if (!/[<>]|==|!=/.test(sign))
    return pairs.map(({ labels, ...pair }) => ({ labels, value: calculated(sign, pair.left, pair.right) }));
  return pairs
    .filter((pair) => holds(sign, pair.left, pair.right))
    .map((pair) => ({ labels: pair.labels, value: typeof left === "number" ? pair.right : pair.left }));
}

type Pair = { readonly labels: Series["labels"]; readonly left: number; readonly right: number };

/** A scalar pairs with every series, a series with the one that has the same labels. */
function pairsOf(left: Value, right: Value): Pair[] {
  if (typeof left === "number")
    return series(right).map(({ labels, value }) => ({ labels, left, right: value }));
  if (typeof right === "number") return left.map(({ labels, value }) => ({ labels, left: value, right }));
  const others = new Map(right.map(({ labels, value }) => [keyOf(labels), value]));
  return left.flatMap(({ labels, value }) => {
    const other = others.get(keyOf(labels));
    return other === undefined ? [] : [{ labels, left: value, right: other }];
  });
}

function chosen(sign: string, left: Evaluated, right: Evaluated): Evaluated {
  const [ours, theirs] = [left, right].map((each) => new Set(each.map(({ labels }) => keyOf(labels))));
  if (sign === "or") return [...left, ...right.filter(({ labels }) => !ours?.has(keyOf(labels)))];
  return left.filter(({ labels }) => theirs?.has(keyOf(labels)) === (sign === "and"));
}

function calculated(sign: string, left: number, right: number): number {
  const value = { "+": left + right, "-": left - right, "*": left * right, "/": left / right }[sign];
  if (value === undefined) throw new TypeError(`two numbers are not compared by ${sign} here`);
  return value;
}

function holds(sign: string, left: number, right: number): boolean {
  const outcomes: Readonly<Record<string, boolean>> = {
    "==": left === right,
    "!=": left !== right,
    "<": left < right,
    "<=": left <= right,
    ">": left > right,
    ">=": left >= right,
  };
  return outcomes[sign] ?? false;
}

function only(labels: Series["labels"], names: readonly string[]): Series["labels"] {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));
}

function keyOf(labels: Series["labels"]): string {
  return JSON.stringify(Object.entries(labels).sort());
}
