import { type Queryable, sql } from "@daric/postgres/sql";
import type { ScrapedSample } from "./promql/read-scrape.ts";

/** The samples of a process at a time; null if it was stopped on purpose. */
export type SampleRow = {
  readonly id: bigint;
  readonly process: string;
  readonly takenAt: Date;
  readonly samples: readonly ScrapedSample[] | null;
};

export async function insertSamples(
  db: Queryable,
  { process, samples }: Pick<SampleRow, "process" | "samples">,
): Promise<void> {
  await db.query(sql`
    insert into alert_samples (process, samples) values (${process}, ${JSON.stringify(samples)}::jsonb)`);
}

/** The rows of all processes since a time, oldest first, with the time of the database. */
export async function listSamples(
  db: Queryable,
  { withinSeconds }: { withinSeconds: number },
): Promise<SampleRow[]> {
  return db.query<SampleRow>(sql`
    select id, process, taken_at as "takenAt", nullif(samples, 'null'::jsonb) as samples from alert_samples
    where taken_at > now() - make_interval(secs => ${withinSeconds}) order by id`);
}

export async function deleteSamples(
  db: Queryable,
  { olderThanSeconds }: { olderThanSeconds: number },
): Promise<void> {
  await db.query(sql`
    delete from alert_samples where taken_at < now() - make_interval(secs => ${olderThanSeconds})`);
}
