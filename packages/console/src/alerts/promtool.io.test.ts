import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firingAt, healthyAt, type SampleValues, samplesOf } from "@daric/testing/alert-samples";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { expect, it } from "vitest";
import { alerts } from "./alerts.ts";
import type { Series } from "./conditions.ts";
import type { ScrapedSample } from "./scrape.ts";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const rulesPath = fileURLToPath(new URL("../../../../ops/deploy/prometheus/alerts.yml", import.meta.url));
const END_SECONDS = 60;

/** A test for promtool: a healthy service and these samples a minute later, with our result for each alert. */
function promtoolTest(now: SampleValues): object {
  const up = { "up{job=daric,instance=a}": 1 };
  const before = samplesOf({ ...up, ...healthyAt(END_SECONDS) });
  const after = samplesOf({ ...up, ...healthyAt(END_SECONDS), ...now });
  const scrapes = [
    { atSeconds: 0, samples: before },
    { atSeconds: END_SECONDS, samples: after },
  ];
  const names = new Set([...before, ...after].map(nameOf));
  const valueIn = (name: string, samples: readonly ScrapedSample[], missing: string) =>
    samples.find((sample) => nameOf(sample) === name)?.value ?? missing;
  return {
    interval: "1m",
    // A series that is missing after a minute has ended.
    input_series: [...names].map((series) => ({
      series,
      values: `${valueIn(series, before, "_")} ${valueIn(series, after, "stale")}`,
    })),
    promql_expr_test: alerts.map(({ condition: { promql, countsWindow, valuesIn } }) => {
      // A product has no `__name__`, like an alert. Prometheus extrapolates rises, so only their labels are compared.
      const factor = countsWindow ? 0 : 1;
      return {
        expr: `${factor} * (${promql})`,
        eval_time: "1m",
        exp_samples: valuesIn(scrapes).map(({ labels, value }) => ({
          labels: labelsText(labels),
          value: factor * value,
        })),
      };
    }),
  };
}

function nameOf({ metric, labels }: ScrapedSample): string {
  return `${metric}${labelsText(labels)}`;
}

function labelsText(labels: Series["labels"]): string {
  return `{${Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)}}`;
}

it.skipIf(!hasPromtool)("Prometheus evaluates each alert like we do, whichever alert holds", async () => {
  const folder = await mkdtemp(join(scratchFolder(), "daric-promtool-"));
  try {
    const file = join(folder, "tests.yml");
    const silent = { "up{job=daric,instance=a}": 0 };
    const tests = [{}, silent, ...Object.values(firingAt(END_SECONDS))].map(promtoolTest);
    await writeFile(file, JSON.stringify({ rule_files: [rulesPath], tests }));
    const run = (...args: string[]) => spawnSync("promtool", args, { encoding: "utf8" });
    for (const { status, stdout, stderr } of [run("check", "rules", rulesPath), run("test", "rules", file)])
      expect([status, stdout + stderr]).toEqual([0, expect.anything()]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
