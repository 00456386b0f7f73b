import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { OpenAlert } from "./find-changes.ts";

const columns = sql`
  id, alert, labels, severity, summary, runbook, pending_since as "pendingSince", true_at as "trueAt",
  started_at as "startedAt", ended_at as "endedAt", mac`;

/** The open occurrences. Their times are by the database's clock. */
export async function listOpen(db: Queryable): Promise<AlertOccurrence[]> {
  return db.query<AlertOccurrence>(sql`
    select ${columns} from alert_occurrences where ended_at is null order by id`);
}

/** An occurrence that an operator reads about; `endedAt` is null while its condition holds. `mac` is null in a row of an earlier version. */
export type AlertOccurrence = OpenAlert & { readonly endedAt: Date | null; readonly mac: Buffer | null };

export async function findOccurrence(db: Queryable, id: bigint): Promise<AlertOccurrence | undefined> {
  return maybeOne(
    await db.query<AlertOccurrence>(sql`select ${columns} from alert_occurrences where id = ${id}`),
  );
}

/** Occurrences that started, and ended within the last day or are open; the oldest first. */
export async function listRecent(db: Queryable): Promise<AlertOccurrence[]> {
  return db.query<AlertOccurrence>(sql`
    select ${columns} from alert_occurrences
    where started_at is not null and (ended_at is null or ended_at > now() - interval '1 day') order by started_at limit 100`);
}

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

export type NewOccurrence = Omit<AlertOccurrence, "id" | "mac"> & { readonly mac: Buffer };

/** Inserts an occurrence and returns its id. */
export async function insertOccurrence(tx: Transaction, occurrence: NewOccurrence): Promise<bigint> {
  const { alert, labels, severity, summary, runbook, pendingSince, trueAt, startedAt, mac } = occurrence;
  const rows = await tx.query<{ id: bigint }>(sql`
    insert into alert_occurrences (alert, labels, severity, summary, runbook, pending_since, true_at, started_at, mac)
    values (${alert}, ${labels}, ${severity}, ${summary}, ${runbook}, ${pendingSince}, ${trueAt}, ${startedAt}, ${mac})
    returning id`);
  return one(rows).id;
}

/** Stores what changes of an occurrence, with its new MAC. */
export async function updateOccurrence(
  tx: Transaction,
  { id, summary, trueAt, startedAt, endedAt, mac }: AlertOccurrence,
): Promise<void> {
  await tx.query(sql`
    update alert_occurrences set summary = ${summary}, true_at = ${trueAt}, started_at = ${startedAt}, ended_at = ${endedAt},
      mac = ${mac}
    where id = ${id}`);
}

export async function deleteOccurrence(tx: Transaction, id: bigint): Promise<void> {
  await tx.query(sql`delete from alert_occurrences where id = ${id}`);
}

export async function deleteOldOccurrences(db: Queryable): Promise<void> {
  await db.query(sql`delete from alert_occurrences where ended_at < now() - interval '90 days'`);
}
