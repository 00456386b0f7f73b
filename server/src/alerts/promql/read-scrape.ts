export type ScrapedSample = {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** what a readiness check found; no condition of an alert sees it */
  readonly detail?: string | undefined;
};

export type Scrape = {
  /** Unix time */
  readonly atSeconds: number;
  /** every declared metric, also without samples */
  readonly declared: ReadonlySet<string>;
  readonly samples: readonly ScrapedSample[];
};

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses Prometheus' text format 0.0.4. */
export function readScrape(text: string, atSeconds: number): Scrape {
  const lines = text.split("\n");
  return {
    atSeconds,
    declared: new Set(lines.flatMap((line) => /^# TYPE (\S+) /.exec(line)?.[1] ?? [])),
    samples: lines.filter((line) => line !== "" && !line.startsWith("#")).map(readSample),
  };
}

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
