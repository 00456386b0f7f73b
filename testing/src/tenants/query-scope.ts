import type { Node, RangeVar } from "libpg-query";
import type { Value } from "./ties.ts";

/** A column that a query answers; without a value where nothing says of which merchant it is. */
export type Output = { readonly name: string; readonly value: Value | undefined };

/** What stands in a FROM, or is changed, by the name under which its columns are asked for. */
export type Relation = { readonly alias: string; readonly columns: readonly Output[] };

/** What the names of one query mean; those of the query around it mean the same inside. */
export type QueryScope = {
  readonly relations: Relation[];
  readonly ctes: Map<string, readonly Output[]>;
  readonly outer: QueryScope | undefined;
};

/** What these outputs are called where they stand in a FROM. */
export function relationFrom(
  outputs: readonly Output[],
  alias: { aliasname?: string; colnames?: Node[] } | undefined,
): Relation {
  return { alias: alias?.aliasname ?? "", columns: renamed(outputs, alias?.colnames) };
}

/** The outputs under the names that an alias gives them, as far as it gives any. */
export function renamed(outputs: readonly Output[], names: readonly Node[] | undefined): readonly Output[] {
  return outputs.map((output, index) => ({ ...output, name: textOf(names?.[index]) || output.name }));
}

/** What `*`, or `alias.*`, stands for. */
export function starOutputs(scope: QueryScope, [alias]: readonly string[]): Output[] {
  const relations = scope.relations.filter((relation) => alias === undefined || relation.alias === alias);
  return relations.flatMap(({ columns }) => [...columns]);
}

/** The column that this path names, here or in a query around. */
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

/** What the name of a `with` answers; undefined where it is a table. */
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
