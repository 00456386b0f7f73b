import { type Queryable, sql } from "@daric/postgres/sql";

/** A change by a person. `before` and `after` hold the changed values. */
export type AuditEntry = {
  /** the operator's name for a command; for the dashboard `person` and an id */
  readonly actor: string;
  /** the command or the change, such as `deposit accept` */
  readonly action: string;
  /** a kind and an id, such as `deposit 01926…` */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly reason: string;
  /** the merchant whose audit log shows it */
  readonly merchantId?: string | null;
  /** the network address of the request; null for the command line */
  readonly address?: string | null;
};

/** Adds an entry in the transaction of the change. No statement changes or deletes an entry. */
export async function insertAuditEntry(tx: Queryable, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, before, after, reason, merchantId = null, address = null } = entry;
  await tx.query(sql`
    insert into audit_log (actor, action, subject, before, after, reason, merchant_id, address)
    values (${actor}, ${action}, ${subject}, ${before && JSON.stringify(before)}::jsonb,
      ${after && JSON.stringify(after)}::jsonb, ${reason}, ${merchantId}, ${address})`);
}

/** Those of these subjects that have an entry. */
export async function findAudited(db: Queryable, subjects: readonly string[]): Promise<Set<string>> {
  if (subjects.length === 0) return new Set();
  const rows = await db.query<{ subject: string }>(sql`
    select distinct subject from audit_log where subject = any(${subjects}::text[])`);
  return new Set(rows.map(({ subject }) => subject));
}

const MAX_PER_SUBJECT = 1_000;

export async function listAuditEntries(
  db: Queryable,
  subject: string,
): Promise<(AuditEntry & { readonly at: Date })[]> {
  return db.query(sql`
    select at, actor, action, subject, before, after, reason from audit_log where subject = ${subject}
    order by id limit ${MAX_PER_SUBJECT}`);
}

/** An entry of the audit log; `person` is a person's e-mail address. */
export type AuditedAct = AuditEntry & {
  readonly id: bigint;
  readonly at: Date;
  readonly person: string | null;
};

/** The entries of a time range, the newest first. `by` is a part of the actor's name or e-mail address. */
export async function listAudit(
  db: Queryable,
  filter: { since: Date; until: Date; by: string | null; merchantId: string | null; limit: number },
): Promise<AuditedAct[]> {
  const { since, until, by, merchantId, limit } = filter;
  return db.query<AuditedAct>(sql`
    select audit_log.id, at, actor, action, subject, before, after, reason, merchant_id as "merchantId", address, email as person
    from audit_log left join people on actor = 'person ' || people.id
    where at >= ${since} and at <= ${until} and (${merchantId}::uuid is null or merchant_id = ${merchantId}::uuid)
      and (${by}::text is null or strpos(lower(coalesce(email, actor)), lower(${by}::text)) > 0)
    order by audit_log.id desc limit ${limit}`);
}

/** An entry of a merchant's audit log. */
export type ListedAuditEntry = AuditEntry & { readonly id: bigint; readonly at: Date };

type AuditQuestion = {
  readonly merchantId: string;
  readonly after: bigint | null;
  readonly limit: number;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  /** the only acts that are listed; without it all */
  readonly actions?: readonly string[] | null;
};

/** The entries of a merchant before the entry `after`, from `from` on and before `to`, the newest first. */
export async function listAuditOfMerchant(
  db: Queryable,
  { merchantId, after, limit, from = null, to = null, actions = null }: AuditQuestion,
): Promise<ListedAuditEntry[]> {
  return db.query<ListedAuditEntry>(sql`
    select id, at, actor, action, subject, before, after, reason, merchant_id as "merchantId", address
    from audit_log where merchant_id = ${merchantId} and (${after}::bigint is null or id < ${after}::bigint)
      and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
      and (${actions}::text[] is null or action = any(${actions}::text[]))
    order by id desc limit ${limit}`);
}
