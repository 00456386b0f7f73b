import { one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { RecentAlert } from "./digest.ts";
import type { AlertChanges, OpenAlert } from "./find-changes.ts";

const openColumns = sql`
  id, alert, labels, severity, summary, runbook, pending_since as "pendingSince", true_at as "trueAt",
  started_at as "startedAt"`;

/** The open occurrences. Their times are by the database's clock. */
export async function listOpen(db: Queryable): Promise<OpenAlert[]> {
  return db.query<OpenAlert>(sql`
    select ${openColumns} from alert_occurrences where ended_at is null order by id`);
}

export async function findTime(db: Queryable): Promise<Date> {
  return one(await db.query<{ now: Date }>(sql`select now() as now`)).now;
}

/** Occurrences that started, and ended within the last day or are open; the oldest first. */
export async function listRecent(db: Queryable): Promise<RecentAlert[]> {
  return db.query<RecentAlert>(sql`
    select alert, summary, pending_since as since, ended_at as "endedAt" from alert_occurrences
    where started_at is not null and (ended_at is null or ended_at > now() - interval '1 day') order by started_at limit 100`);
}

/** An occurrence that an operator reads about; `endedAt` is null while its condition holds. */
export type AlertOccurrence = OpenAlert & { readonly endedAt: Date | null };

const columns = sql`${openColumns}, ended_at as "endedAt"`;

/** The occurrences that have not ended, and after them the last that have, each the newest first. */
export async function listOccurrences(
  db: Queryable,
  { maxEnded }: { maxEnded: number },
): Promise<AlertOccurrence[]> {
  const open = await db.query<AlertOccurrence>(sql`
    select ${columns} from alert_occurrences where ended_at is null order by pending_since desc, id desc`);
  const ended = await db.query<AlertOccurrence>(sql`
    select ${columns} from alert_occurrences
    where ended_at is not null order by ended_at desc, id desc limit ${maxEnded}`);
  return [...open, ...ended];
}

/** Writes the changes that were found at `now`. */
export async function saveChanges(tx: Transaction, changes: AlertChanges, now: Date): Promise<void> {
  for (const { alert, labels, summary, hasStarted } of changes.begun) {
    const { name, severity, runbook } = alert;
    await tx.query(sql`
      insert into alert_occurrences (alert, labels, severity, summary, runbook, pending_since, true_at, started_at)
      values (${name}, ${labels}, ${severity}, ${summary}, ${runbook}, ${now}, ${now}, ${hasStarted ? now : null})`);
  }
  for (const { open, summary, hasStarted } of changes.held) {
    await tx.query(sql`
      update alert_occurrences set true_at = ${now}, summary = ${summary},
        started_at = ${hasStarted ? now : open.startedAt}
      where id = ${open.id}`);
  }
  for (const { id } of changes.ended)
    await tx.query(sql`update alert_occurrences set ended_at = ${now} where id = ${id}`);
  for (const { id } of changes.dropped) await tx.query(sql`delete from alert_occurrences where id = ${id}`);
}

export async function deleteOldOccurrences(db: Queryable): Promise<void> {
  await db.query(sql`delete from alert_occurrences where ended_at < now() - interval '90 days'`);
}
