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

const IS_EXPLAINED = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * The same database, which notes what each statement reads: it runs once to be explained, is undone, and runs again. Its plan
 * is made for its values and for the present size of the tables.
 */
export function notingReads(db: Database, note: (reads: Reads) => void): Database {
  const inTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    query: async (statement) => {
      if (IS_EXPLAINED.test(statement.text)) note(await readsOf(tx, statement));
      return tx.query(statement);
    },
  });
  return {
    ...db,
    query: (statement) => db.transaction((tx) => inTransaction(tx).query(statement)),
    transaction: (work) => db.transaction((tx) => work(inTransaction(tx))),
    answeringWithin: (ms) => notingReads(db.answeringWithin(ms), note),
    ofTenant: (tenant) => notingReads(db.ofTenant(tenant), note),
  } as Database;
}

async function readsOf(tx: Transaction, statement: Sql): Promise<Reads> {
  await tx.query(sql`savepoint before_explain`);
  const [row] = await tx.query<ExplainedRow>(
    sql(["explain (analyze, buffers, timing off, format json) ", ""], statement),
  );
  await tx.query(sql`rollback to savepoint before_explain`);
  return { text: statement.text, reads: row === undefined ? [] : readsUnder(row["QUERY PLAN"][0].Plan) };
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
