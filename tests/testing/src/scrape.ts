import type { Scrape, ScrapedSample } from "@daric/console/alerts/scrape";

/** The answer of /metrics. */
export type MetricsScrape = Scrape & {
  /** every declared metric, also without samples */
  readonly declared: ReadonlySet<string>;
};

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The metrics of a process with the sample `up` that Prometheus adds. */
export async function scrape(metricsUrl: string): Promise<MetricsScrape> {
  const answer = await fetch(`${metricsUrl}/metrics`).catch(() => undefined);
  if (answer?.ok === false) throw new Error(`/metrics answered ${answer.status}`);
  const lines = ((await answer?.text()) ?? "").split("\n");
  const labels = { job: "daric", instance: new URL(metricsUrl).host };
  const up = { metric: "up", labels, value: answer === undefined ? 0 : 1 };
  const declared = lines.flatMap((line) => /^# TYPE (\S+) /.exec(line)?.[1] ?? []);
  const samples = lines.filter((line) => line !== "" && !line.startsWith("#")).map(readSample);
  return { atSeconds: Date.now() / 1_000, declared: new Set([...declared, "up"]), samples: [up, ...samples] };
}

/** A line of Prometheus' text format 0.0.4. */
function readSample(line: string): ScrapedSample {
  const [, metric = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (metric === "") throw new SyntaxError(`${line} is no sample`);
  const pairs = [...labels.matchAll(LABEL)].map(([, name = "", quoted = ""]) => [name, unquoted(quoted)]);
  return { metric, labels: Object.fromEntries(pairs), value: numberOf(value) };
}

function unquoted(quoted: string): string {
  return quoted.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}

function numberOf(text: string): number {
  if (text === "+Inf") return Infinity;
  return text === "-Inf" ? -Infinity : Number(text);
}
