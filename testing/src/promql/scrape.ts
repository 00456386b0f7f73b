import { readScrape, type Scrape } from "@daric/server/alerts/promql/read-scrape";

/** The metrics of a process with the sample `up` that Prometheus adds. */
export async function scrape(metricsUrl: string): Promise<Scrape> {
  const answer = await fetch(`${metricsUrl}/metrics`).catch(() => undefined);
  if (answer?.ok === false) throw new Error(`/metrics answered ${answer.status}`);
  const { atSeconds, declared, samples } = readScrape((await answer?.text()) ?? "", Date.now() / 1_000);
  const labels = { job: "daric", instance: new URL(metricsUrl).host };
  const up = { metric: "up", labels, value: answer === undefined ? 0 : 1 };
  return { atSeconds, declared: new Set([...declared, "up"]), samples: [up, ...samples] };
}
