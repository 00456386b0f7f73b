import { type Queryable, sql } from "@daric/postgres/sql";
import type { ScrapedSample } from "./scrape.ts";

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

/** The newest row of a process. */
export type NewestSamples = Pick<SampleRow, "process" | "samples"> & { readonly ageSeconds: number };

const MAX_PROCESSES = 100;

/** The newest row of each process that has written one lately. */
export async function listNewestSamples(
  db: Queryable,
  { withinSeconds }: { withinSeconds: number },
): Promise<NewestSamples[]> {
  return db.query<NewestSamples>(sql`
    select process, nullif(samples, 'null'::jsonb) as samples, extract(epoch from now() - taken_at)::float8 as "ageSeconds"
    from alert_samples
    where id in (
      select max(id) from alert_samples where taken_at > now() - make_interval(secs => ${withinSeconds}) group by process)
    order by process limit ${MAX_PROCESSES}`);
}

export async function deleteSamples(
  db: Queryable,
  { olderThanSeconds }: { olderThanSeconds: number },
): Promise<void> {
  await db.query(sql`
    delete from alert_samples where taken_at < now() - make_interval(secs => ${olderThanSeconds})`);
}
