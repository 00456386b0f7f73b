import { describe, expect, it } from "vitest";
import { evaluatePromql } from "./evaluate-promql.ts";
import { parsePromql, referencedBy } from "./parse-promql.ts";
import { readScrape } from "./read-scrape.ts";

const first = readScrape('# TYPE a gauge\na{x="1"} 2\na{x="2"} 5\n# TYPE n counter\nn 7\n', 1_000);
const second = readScrape('# TYPE a gauge\na{x="1"} 2\na{x="2"} 9\n# TYPE n counter\nn 3\n', 1_060);

function comesTo(text: string): unknown {
  const value = evaluatePromql(parsePromql(text), [first, second]);
  return typeof value === "number" ? value : value.map((series) => [series.labels, series.value]);
}

describe("an expression has Prometheus' result", () => {
  it.each([
    [
      "a",
      [
        [{ x: "1" }, 2],
        [{ x: "2" }, 9],
      ],
    ],
    ['a{x!="1"}', [[{ x: "2" }, 9]]],
    ['a{x=~"2|3"} > 5', [[{ x: "2" }, 9]]],
    ["sum(a) > 11", []],
    ["max(a) - min(a) * 2 == 5", [[{}, 5]]],
    ["time() - max(a) > 1000", [[{}, 1_051]]],
    [
      "sum by (x) (a) / a",
      [
        [{ x: "1" }, 1],
        [{ x: "2" }, 1],
      ],
    ],
    ["absent(a == 4)", [[{}, 1]]],
    ['absent(b{x="7"}) or absent(a)', [[{ x: "7" }, 1]]],
    ["a > 3 and a < 10", [[{ x: "2" }, 9]]],
    ["a unless a > 3", [[{ x: "1" }, 2]]],
    ["count(a)", [[{}, 2]]],
  ])("%s", (text, value) => {
    expect(comesTo(text)).toEqual(value);
  });

  it("a rise covers the window's samples, and a counter that fell has restarted", () => {
    expect(comesTo("increase(a[2m]) > 0")).toEqual([[{ x: "2" }, 4]]);
    expect(comesTo("increase(n[2m])")).toEqual([[{}, 3]]);
    expect(comesTo("increase(n[30s])")).toEqual([]);
  });
});

it("an expression names its metrics, their labels and its kept labels", () => {
  const text = 'histogram_quantile(0.99, sum by (le) (rate(a_bucket{x="1"}[5m]))) + b';
  const { selectors, by } = referencedBy(parsePromql(text));
  expect(selectors.map(({ metric, matchers }) => [metric, matchers.map(({ label }) => label)])).toEqual([
    ["a_bucket", ["x"]],
    ["b", []],
  ]);
  expect(by).toEqual(["le"]);
});

it.each(["a >", "a{x}", "(a", "a b", "sum by x (a)", "a $ 2", ""])("%j is refused", (text) => {
  expect(() => parsePromql(text)).toThrow(SyntaxError);
});
