import { readScrape, type Scrape } from "@daric/server/alerts/promql/read-scrape";

export async function scrape(metricsUrl: string): Promise<Scrape> {
  const answer = await fetch(`${metricsUrl}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return readScrape(await answer.text(), Date.now() / 1_000);
}
