import { fileURLToPath } from "node:url";
import type { Alert } from "@daric/server/alerts/alerts";
import { evaluatePromql, type Series } from "@daric/server/alerts/promql/evaluate-promql";
import { parsePromql } from "@daric/server/alerts/promql/parse-promql";
import type { Scrape } from "@daric/server/alerts/promql/read-scrape";

export const ALERTS_PATH = new URL("../../../deploy/prometheus/alerts.yml", import.meta.url);

/**
 * A file for `promtool test rules` with our results at the last scrape, a minute after the first. Its time begins
 * at 1970, so all times are shifted.
 */
export function promtoolTest(rules: readonly Alert[], scrapes: readonly Scrape[]): string {
  const [first, last] = [scrapes[0], scrapes.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError("nothing was scraped");
  const sinceMinute = last.atSeconds - 60;
  const pair = [moved(first, sinceMinute, 0), moved(last, sinceMinute, 60)];
  return JSON.stringify({
    rule_files: [fileURLToPath(ALERTS_PATH)],
    tests: [
      {
        interval: "1m",
        input_series: inputOf(pair),
        promql_expr_test: rules
          .filter(({ expr }) => !expr.includes("increase("))
          .map(({ expr }) => ({
            expr,
            eval_time: "1m",
            exp_samples: seriesOf(expr, pair).map(({ labels, value }) => ({
              labels: labelsOf(labels),
              value,
            })),
          })),
      },
    ],
  });
}

function seriesOf(expr: string, scrapes: readonly Scrape[]): readonly Series[] {
  const value = evaluatePromql(parsePromql(expr), scrapes);
  return typeof value === "number" ? [{ labels: {}, value }] : value;
}

function moved({ declared, samples }: Scrape, by: number, atSeconds: number): Scrape {
  const isTime = (metric: string) => metric.endsWith("_timestamp_seconds");
  return {
    declared,
    atSeconds,
    samples: samples.map((sample) =>
      isTime(sample.metric) ? { ...sample, value: sample.value - by } : sample,
    ),
  };
}

/** A series that is missing in the last scrape has ended. */
function inputOf(scrapes: readonly Scrape[]): { series: string; values: string }[] {
  const keys = new Set(scrapes.flatMap(({ samples }) => samples.map(seriesName)));
  const valueIn = (series: string, { samples }: Scrape) =>
    samples.find((sample) => seriesName(sample) === series)?.value;
  return [...keys].map((series) => ({
    series,
    values: scrapes.map((scraped, index) => valueIn(series, scraped) ?? ["_", "stale"][index]).join(" "),
  }));
}

function seriesName({ metric, labels }: { metric: string; labels: Series["labels"] }): string {
  return `${metric}${labelsOf(labels)}`;
}

function labelsOf(labels: Series["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(",")}}`;
}
