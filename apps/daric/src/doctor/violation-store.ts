import { type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { type InvariantName, MAX_SAMPLES, type Violation } from "./invariant.ts";

/** A kind of violation, and its condition for a row. */
type Fault = readonly [invariant: InvariantName, what: string, condition: Sql];

/** The rows and faults of a check. */
export type Snapshot = {
  readonly faults: readonly Fault[];
  readonly sample: Sql;
  readonly from: Sql;
  /** marks the statement as one over all merchants */
  readonly marked?: (statement: Sql) => Sql;
};

/** The rows of `from` with one of these faults (the first of them), each named by `sample`. */
export async function findViolations(
  db: Queryable,
  { faults, sample, from, marked = (statement) => statement }: Snapshot,
): Promise<Violation[]> {
  const cases = faults.map(([, , condition], index) => sql`when ${condition} then ${index}::integer`);
  const fault = sql([`case `, ...cases.slice(1).map(() => " "), " end"], ...cases);
  const statement = sql`
    select fault, count(*)::integer as count, array_agg(sample) filter (where place <= ${MAX_SAMPLES}) as samples
    from (
      select fault, sample, row_number() over (partition by fault order by sample) as place
      from (select ${fault} as fault, (${sample})::text as sample from ${from}) row
      where fault is not null
    ) ranked
    group by fault order by fault`;
  const rows = await db.query<{ fault: number; count: number; samples: string[] }>(marked(statement));
  return rows.flatMap(({ fault: index, count, samples }) => {
    const [invariant, what] = faults[index] ?? [];
    return invariant && what ? [{ invariant, what, count, samples }] : [];
  });
}

/**
 * Ends a lateral subquery that finds one row by its key. Without it the planner may read the whole table for
 * a join.
 */
export const byKey = sql`offset 0`;

/**
 * All later reads of this transaction see one moment. It cannot write, and may use memory to sort. Each
 * statement covers a part by its key, whatever size the planner assumes.
 */
export async function openSnapshot(tx: Transaction): Promise<void> {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
  await tx.query(sql`set local work_mem = '128MB'`);
  await tx.query(sql`set local jit = off`);
  await tx.query(sql`set local enable_seqscan = off`);
  await tx.query(sql`set local plan_cache_mode = force_custom_plan`);
}
