import type { SampleRow } from "./sample-store.ts";
import type { Scrape, ScrapedSample } from "./scrape.ts";

/** A process is silent after four missed samples. */
export const SILENT_SECONDS = 90;

/** The samples of all processes with their process as `instance`: each row, and last the newest of each process together. */
export function scrapesOf(rows: readonly SampleRow[], now: Date): Scrape[] {
  const newest = new Map(rows.map((row) => [row.process, row]));
  const atSeconds = now.getTime() / 1_000;
  const latest = [...newest.values()].flatMap((row): ScrapedSample[] => {
    if (row.samples === null) return [];
    const isSilent = atSeconds - row.takenAt.getTime() / 1_000 > SILENT_SECONDS;
    const up = { metric: "up", labels: { job: "daric", instance: row.process }, value: isSilent ? 0 : 1 };
    return isSilent ? [up] : [up, ...samplesOf(row)];
  });
  return [
    ...rows.map((row) => scrapeOf(row.takenAt.getTime() / 1_000, samplesOf(row))),
    scrapeOf(atSeconds, latest),
  ];
}

function samplesOf({ samples, process }: SampleRow): ScrapedSample[] {
  return (samples ?? []).map((sample) => ({ ...sample, labels: { ...sample.labels, instance: process } }));
}

function scrapeOf(atSeconds: number, samples: readonly ScrapedSample[]): Scrape {
  return { atSeconds, samples };
}
