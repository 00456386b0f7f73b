import { type Database, type Sql, sql, type Transaction } from "@daric/postgres/sql";

/** The rows and pages that one node of a plan read. */
export type Read = {
  /** the node, such as "Index Scan of deposits by deposits_pkey" */
  readonly of: string;
  /** rows returned, and removed by filters, in all runs of the node */
  readonly rows: number;
  /** how often it ran, and the pages that it read each time; only of nodes that read a table */
  readonly runs: number;
  readonly pagesPerRun: number;
};

export type Reads = { readonly text: string; readonly reads: readonly Read[] };

/** The used part of `explain (analyze, buffers, format json)`. Rows are per loop, blocks of all loops. */
type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Node[];
};

type ExplainedRow = { readonly "QUERY PLAN": readonly [{ readonly Plan: Node }] };

/** Begins the name of a table that was read by the plan that the connection may have kept. */
export const KEPT = "kept plan of ";

const IS_EXPLAINED = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * The same database, which notes what each statement reads. It runs once to be explained, by a plan for its values and for the
 * present size of the tables, and is undone. Then it runs by the plan that its connection may have kept; of this run the rows of
 * each table are noted.
 */
export function notingReads(db: Database, note: (reads: Reads) => void): Database {
  const inTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    query: async <Row>(statement: Sql) => {
      if (!IS_EXPLAINED.test(statement.text)) return tx.query<Row>(statement);
      const explained = await readsOf(tx, statement);
      const before = await rowsByTable(tx);
      const rows = await tx.query<Row>(statement);
      const after = await rowsByTable(tx);
      const kept = [...after].map(([table, count]) => ({
        of: `${KEPT}${table}`,
        rows: count - (before.get(table) ?? 0),
        runs: 1,
        pagesPerRun: 0,
      }));
      note({ text: statement.text, reads: [...explained, ...kept] });
      return rows;
    },
  });
  return {
    ...db,
    query: (statement) => db.transaction((tx) => inTransaction(tx).query(statement)),
    transaction: (work) => db.transaction((tx) => work(inTransaction(tx))),
    answeringWithin: (ms) => notingReads(db.answeringWithin(ms), note),
    forTenant: (tenant) => notingReads(db.forTenant(tenant), note),
  } as Database;
}

/** The rows of each table that this transaction has read. */
async function rowsByTable(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ table: string; count: bigint }>(sql`
    select relname as table, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables`);
  return new Map(rows.map(({ table, count }) => [table, Number(count)]));
}

async function readsOf(tx: Transaction, statement: Sql): Promise<Read[]> {
  await tx.query(sql`savepoint before_explain`);
  const [row] = await tx.query<ExplainedRow>(
    sql(["explain (analyze, buffers, timing off, format json) ", ""], statement),
  );
  await tx.query(sql`rollback to savepoint before_explain`);
  return row === undefined ? [] : readsUnder(row["QUERY PLAN"][0].Plan);
}

function readsUnder(node: Node): Read[] {
  const { "Relation Name": table, "Index Name": index, "Actual Loops": runs } = node;
  const removed =
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Join Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  const isScan = node["Node Type"].endsWith("Scan") && (table ?? index) !== undefined;
  const pages = isScan ? (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0) : 0;
  const read: Read = {
    of: [node["Node Type"], table && `of ${table}`, index && `by ${index}`].filter(Boolean).join(" "),
    rows: Math.round((node["Actual Rows"] + removed) * runs),
    runs,
    pagesPerRun: Math.round(pages / Math.max(1, runs)),
  };
  return [read, ...(node.Plans ?? []).flatMap(readsUnder)];
}
