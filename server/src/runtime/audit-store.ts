import { type Queryable, sql } from "@daric/postgres/sql";

/** What an operator did. `before` and `after` are what it changed of the subject. */
export type AuditEntry = {
  /** the operator's name, as the command was given it */
  readonly actor: string;
  /** the command, as `deposit accept` */
  readonly action: string;
  /** a kind and an id, as `deposit 01926…` */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
  /** in the operator's words */
  readonly reason: string;
};

/** Adds an entry in the transaction of the change. Nothing changes or deletes one. */
export async function insertAuditEntry(
  tx: Queryable,
  { actor, action, subject, before, after, reason }: AuditEntry,
): Promise<void> {
  await tx.query(sql`
    insert into audit_log (actor, action, subject, before, after, reason)
    values (${actor}, ${action}, ${subject}, ${before && JSON.stringify(before)}::jsonb,
      ${after && JSON.stringify(after)}::jsonb, ${reason})`);
}

/** What was done to a subject, the oldest first. */
export async function listAuditEntries(
  db: Queryable,
  subject: string,
): Promise<(AuditEntry & { readonly at: Date })[]> {
  return db.query(sql`
    select at, actor, action, subject, before, after, reason from audit_log where subject = ${subject} order by id`);
}
