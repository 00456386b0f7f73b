import { type Queryable, sql } from "@daric/postgres/sql";

/** An operator's act. `before` and `after` hold the values that it changed. */
export type AuditEntry = {
  /** the operator's name, from the command line */
  readonly actor: string;
  /** the command, such as `deposit accept` */
  readonly action: string;
  /** a kind and an id, such as `deposit 01926…` */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly reason: string;
};

/** Adds an entry in the transaction of the change. No statement changes or deletes an entry. */
export async function insertAuditEntry(
  tx: Queryable,
  { actor, action, subject, before, after, reason }: AuditEntry,
): Promise<void> {
  await tx.query(sql`
    insert into audit_log (actor, action, subject, before, after, reason)
    values (${actor}, ${action}, ${subject}, ${before && JSON.stringify(before)}::jsonb,
      ${after && JSON.stringify(after)}::jsonb, ${reason})`);
}

export async function listAuditEntries(
  db: Queryable,
  subject: string,
): Promise<(AuditEntry & { readonly at: Date })[]> {
  return db.query(sql`
    select at, actor, action, subject, before, after, reason from audit_log where subject = ${subject} order by id`);
}
