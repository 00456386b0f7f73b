import { parse } from "libpg-query";

/** A node of a parsed statement, as JSON. */
export type Tree = { readonly [key: string]: unknown };

/**
 * The statements of a text.
 * @throws Error when the text is no statement.
 */
export async function parseTrees(text: string): Promise<Tree[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: readonly { stmt: Tree }[] };
  return stmts.map(({ stmt }) => stmt);
}

/** Every node below a value, each with its kind. */
export function* nodesOf(value: unknown): Generator<readonly [kind: string, node: Tree]> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null || typeof inner !== "object") continue;
    if (!Array.isArray(inner)) yield [kindOf(key), inner as Tree];
    yield* nodesOf(inner);
  }
}

/** The kind of a node by its field: some fields hold a node without its kind. */
function kindOf(key: string): string {
  return { withClause: "WithClause", typeName: "TypeName" }[key] ?? key;
}
