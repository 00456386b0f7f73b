import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { type Database, type Sql, sql } from "@daric/postgres/sql";

export type Plan = {
  /** planned for the given values, or generically for a prepared statement */
  readonly of: "these values" | "any values";
  /** the table accesses in order: "charges by charges_pkey", or "charges whole" */
  readonly scans: readonly string[];
};

/** The used part of `explain (format json)`. */
type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly Node[];
};

/**
 * The plans of every statement that `work` runs. Fill the tables and `analyze` them before. Generic plans need
 * PostgreSQL 16.
 */
export async function plansOf(
  { db, url }: { db: Database; url: string },
  work: (db: Database) => Promise<unknown>,
): Promise<Plan[]> {
  const statements: Sql[] = [];
  await work({
    ...db,
    query: (statement) => {
      statements.push(statement);
      return db.query(statement);
    },
  });
  const plans: Plan[] = [];
  for (const statement of statements) {
    const [row] = await db.query<ExplainedRow>(sql(["explain (format json) ", ""], statement));
    if (row !== undefined) plans.push({ of: "these values", scans: scansOf(row) });
    const generic = await explainForAnyValues(url, statement.text);
    if (generic !== undefined) plans.push({ of: "any values", scans: scansOf(generic) });
  }
  return plans;
}

/** Returns how many of ten runs of a prepared statement use the generic plan. */
export async function timesPlannedForAny(url: string, { text, values }: Sql): Promise<number> {
  return withDedicatedClient({ connectionString: url }, async (client) => {
    for (let n = 0; n < 10; n += 1) await client.query({ name: "planned", text, values });
    const { rows } = await client.query("select generic_plans::int as times from pg_prepared_statements");
    return rows[0].times;
  });
}

type ExplainedRow = { readonly "QUERY PLAN": readonly { readonly Plan: Node }[] };

async function explainForAnyValues(url: string, text: string): Promise<ExplainedRow | undefined> {
  return withDedicatedClient({ connectionString: url }, async (client) => {
    const { rows: versions } = await client.query("show server_version_num");
    if (Number(versions[0]?.server_version_num) < 160_000) return undefined;
    const { rows } = await client.query<ExplainedRow>(`explain (generic_plan, format json) ${text}`);
    return rows[0];
  });
}

function scansOf(row: ExplainedRow): string[] {
  return row["QUERY PLAN"].flatMap(({ Plan }) => scansUnder(Plan));
}

function scansUnder(node: Node): string[] {
  const table = node["Relation Name"];
  const isChange = node["Node Type"] === "ModifyTable";
  const below = node.Plans ?? [];
  if (table === undefined || isChange) return below.flatMap(scansUnder);
  const indexes = node["Index Name"] === undefined ? below.flatMap(indexesUnder) : [node["Index Name"]];
  const own = indexes.length === 0 ? `${table} whole` : `${table} by ${indexes.join(" and ")}`;
  return [own, ...below.flatMap(scansUnder)];
}

function indexesUnder(node: Node): string[] {
  const own = node["Node Type"] === "Bitmap Index Scan" ? [node["Index Name"] ?? ""] : [];
  return node["Node Type"].startsWith("Bitmap") ? [...own, ...(node.Plans ?? []).flatMap(indexesUnder)] : own;
}
