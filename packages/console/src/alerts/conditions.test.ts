import { samplesOf } from "@daric/testing/alert-samples";
import { describe, expect, it } from "vitest";
import {
  above,
  absent,
  age,
  below,
  difference,
  either,
  equals,
  increase,
  max,
  metric,
  min,
  ratio,
  secondsOf,
  sum,
} from "./conditions.ts";

const scrapes = [
  { atSeconds: 1_000, samples: samplesOf({ "a{x=1}": 2, "a{x=2}": 5, n: 7 }) },
  { atSeconds: 1_060, samples: samplesOf({ "a{x=1}": 2, "a{x=2}": 9, n: 3 }) },
];
const a = metric("a");

describe("a part of a rule prints itself as PromQL, and has Prometheus' result:", () => {
  it.each([
    [metric("a", { x: "1" }), 'a{x="1"}', [[{ x: "1" }, 2]]],
    [metric("a", { x: { not: "1" } }), 'a{x!="1"}', [[{ x: "2" }, 9]]],
    [above(metric("a", { x: ["2", "3"] }), 5), 'a{x=~"2|3"} > 5', [[{ x: "2" }, 9]]],
    [above(sum(a), 11), "sum(a) > 11", []],
    [equals(difference(max(a), min(a)), 7), "max(a) - min(a) == 7", [[{}, 7]]],
    [below(age(max(a)), 1_100), "time() - max(a) < 1100", [[{}, 1_051]]],
    [
      ratio(sum(a, "x"), a),
      "sum by (x) (a) / a",
      [
        [{ x: "1" }, 1],
        [{ x: "2" }, 1],
      ],
    ],
    [max(a, "x", "y"), "max by (x, y) (a)", a.valuesIn(scrapes).map(({ labels, value }) => [labels, value])],
    [ratio(metric("a", { x: "1" }), metric("n")), 'a{x="1"} / n', []],
    [absent(equals(a, 4)), "absent(a == 4)", [[{}, 1]]],
    [absent(metric("a", { x: "1" })), 'absent(a{x="1"})', []],
    [
      either(absent(metric("b", { x: "7", y: ["1", "2"] })), above(a, 5), above(a, 1)),
      'absent(b{x="7",y=~"1|2"}) or a > 5 or a > 1',
      [
        [{ x: "7" }, 1],
        [{ x: "2" }, 9],
        [{ x: "1" }, 2],
      ],
    ],
    // A counter that fell has restarted.
    [increase(metric("n"), "2m"), "increase(n[2m])", [[{}, 3]]],
    [above(increase(a, "1h"), 0), "increase(a[1h]) > 0", [[{ x: "2" }, 4]]],
    // One sample of the window has no rise.
    [increase(metric("n"), "0m"), "increase(n[0m])", []],
  ])("%#: $promql", (part, promql, values) => {
    expect(part.promql).toBe(promql);
    expect(part.valuesIn(scrapes).map(({ labels, value }) => [labels, value])).toEqual(values);
  });
});

it("a condition names its metrics, and whether it counts a window of the past", () => {
  const failing = above(ratio(sum(increase(metric("b"), "5m")), sum(a)), 1);
  expect([failing.metrics, failing.countsWindow]).toEqual([["b", "a"], true]);
  expect(absent(equals(a, 1)).countsWindow).toBe(false);
});

it("durations are minutes or hours", () => {
  expect([secondsOf("0m"), secondsOf("15m"), secondsOf("1h")]).toEqual([0, 900, 3_600]);
});
