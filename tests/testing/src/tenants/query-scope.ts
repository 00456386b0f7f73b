import type { Node, RangeVar } from "libpg-query";
import type { Value } from "./ties.ts";

/** An output column; undefined if its merchant is unknown. */
export type Output = { readonly name: string; readonly value: Value | undefined };

/** A relation of a FROM or the target of a change, by its alias. */
export type Relation = { readonly alias: string; readonly columns: readonly Output[] };

/** The names of one query; inner queries see them too. */
export type QueryScope = {
  readonly relations: Relation[];
  readonly ctes: Map<string, readonly Output[]>;
  readonly outer: QueryScope | undefined;
};

export function relationFrom(
  outputs: readonly Output[],
  alias: { aliasname?: string; colnames?: Node[] } | undefined,
): Relation {
  return { alias: alias?.aliasname ?? "", columns: renamed(outputs, alias?.colnames) };
}

export function renamed(outputs: readonly Output[], names: readonly Node[] | undefined): readonly Output[] {
  return outputs.map((output, index) => ({ ...output, name: textOf(names?.[index]) || output.name }));
}

export function starOutputs(scope: QueryScope, [alias]: readonly string[]): Output[] {
  const relations = scope.relations.filter((relation) => alias === undefined || relation.alias === alias);
  return relations.flatMap(({ columns }) => [...columns]);
}

/** Finds the column of a path in this query or an outer one. */
export function findColumn(scope: QueryScope | undefined, path: readonly string[]): Value | undefined {
  if (scope === undefined) return undefined;
  const [column = "", alias] = [...path].reverse();
  const relations = scope.relations.filter((relation) => alias === undefined || relation.alias === alias);
  const isHere = relations.some(({ columns }) => columns.some(({ name }) => name === column));
  return isHere ? columnOf(relations, column) : findColumn(scope.outer, path);
}

export function columnOf(relations: readonly Relation[], column: string): Value | undefined {
  return relations.flatMap(({ columns }) => columns).find(({ name }) => name === column)?.value;
}

/** The outputs of a CTE; undefined for a table. */
export function findCte(
  scope: QueryScope | undefined,
  { relname = "", schemaname }: RangeVar,
): readonly Output[] | undefined {
  if (scope === undefined || schemaname !== undefined) return undefined;
  return scope.ctes.get(relname) ?? findCte(scope.outer, { relname });
}

export function nameOfFunction(node: Node): string {
  return "FuncCall" in node ? textOf(node.FuncCall.funcname?.at(-1)) : "";
}

export function textOf(node: Node | undefined): string {
  return node !== undefined && "String" in node ? (node.String.sval ?? "") : "";
}
