import type { RangeVar } from "libpg-query";
import type { Output, Relation } from "./query-scope.ts";
import { directoryKey, type Tables, tenantColumn } from "./schema.ts";
import type { Ties, Value } from "./ties.ts";

/** The analysis of one statement. */
export type StatementAnalysis = {
  readonly tables: Tables;
  readonly ties: Ties;
  readonly faults: string[];
  /** values that must be tied at the end, and the fault otherwise */
  readonly wanted: { value: Value; fault: string }[];
  /** the relation of each column, so that a condition ties only what it restricts */
  readonly owners: Map<Value, Relation>;
  /** caches inner queries, which are visited twice */
  readonly known: Map<object, readonly Output[]>;
};

/** A value that is tied once all of these are; undefined if one never can be. */
export function allOf(
  analysis: StatementAnalysis,
  values: readonly (Value | undefined)[],
): Value | undefined {
  const certain = values.filter((value) => value !== undefined);
  if (certain.length !== values.length || certain.length === 0) return undefined;
  const [only] = certain;
  if (certain.length === 1) return only;
  const all: Value = { isTied: false };
  analysis.ties.add(certain, all);
  return all;
}

export function want(analysis: StatementAnalysis, value: Value, fault: string): void {
  analysis.wanted.push({ value, fault });
}

/** A table of the statement; the merchant of its rows must be tied. */
export function tableRelation(
  analysis: StatementAnalysis,
  { schemaname, relname = "", alias }: RangeVar,
  verb: string | undefined,
): Relation {
  // A view or a partition would hide the table of its rows.
  const isOfServer = schemaname === "information_schema" || relname.startsWith("pg_");
  if (!isOfServer && !(relname in analysis.tables))
    analysis.faults.push(`${relname} is no table of the service`);
  const columns = (analysis.tables[relname] ?? []).map((name) => ({ name, value: { isTied: false } }));
  const relation = { alias: alias?.aliasname ?? relname, columns };
  for (const { value } of columns) analysis.owners.set(value, relation);
  const columnNamed = (name = "") => columns.find((column) => column.name === name)?.value;
  const merchant = columnNamed(tenantColumn(analysis.tables, relname));
  if (merchant !== undefined && verb !== undefined) {
    const name = relation.alias === relname ? relname : `${relname} ${relation.alias}`;
    want(analysis, merchant, `the ${verb} of ${name} is tied to no merchant`);
  }
  const [found, itsMerchant] = [columnNamed(directoryKey(relname)), columnNamed("merchant_id")];
  if (found !== undefined && itsMerchant !== undefined) analysis.ties.add([found], itsMerchant);
  return relation;
}

/** Ties one value to the other if it belongs to a relation that the condition restricts. */
export function equate(
  analysis: StatementAnalysis,
  [one, other]: readonly (Value | undefined)[],
  restricted: readonly Relation[],
): void {
  if (one === undefined || other === undefined) return;
  const isRestricted = (value: Value) =>
    restricted.some((relation) => relation === analysis.owners.get(value));
  if (one === other && isRestricted(one)) {
    analysis.faults.push(`compares a column of ${analysis.owners.get(one)?.alias} with itself`);
  }
  if (isRestricted(one)) analysis.ties.add([other], one);
  if (isRestricted(other)) analysis.ties.add([one], other);
}
