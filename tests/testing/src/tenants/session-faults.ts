import { nodesOf, parseTrees, type Tree } from "./statement-tree.ts";

/** Statements whose effect outlives their transaction in the session. */
const OF_SESSION = new Set([
  "DeallocateStmt",
  "DeclareCursorStmt",
  "DiscardStmt",
  "ExecuteStmt",
  "ListenStmt",
  "LoadStmt",
  "PrepareStmt",
  "UnlistenStmt",
]);
/** Functions that read or change what one session holds. */
const FUNCTIONS = /^(?:pg_(?:try_)?advisory_(?:un)?lock(?:_shared|_all)?|currval|lastval|setseed)$/;

/**
 * Returns the parts of a statement that a pooler in transaction mode breaks, which gives each transaction another session; empty if there is
 * none.
 *
 * @throws Error when the text is no statement.
 */
export async function sessionFaults(text: string): Promise<string[]> {
  const trees = await parseTrees(text);
  return [
    ...new Set(trees.flatMap((tree) => [...nodesOf(tree)].flatMap(([kind, node]) => faultsOf(kind, node)))),
  ];
}

function faultsOf(kind: string, node: Tree): string[] {
  if (OF_SESSION.has(kind)) return [`is of a session: ${kind}`];
  if (kind === "VariableSetStmt" && node.is_local !== true && node.name !== "TRANSACTION")
    return [`sets ${node.name} of a session: write set local`];
  if (node.relpersistence === "t") return ["makes a table of a session"];
  if (kind !== "FuncCall") return [];
  const name = [...nodesOf(node.funcname)].map(([, { sval }]) => sval).at(-1);
  if (typeof name === "string" && FUNCTIONS.test(name)) return [`calls ${name}, which is of a session`];
  if (name === "set_config" && !isTrue((node.args as readonly Tree[])[2]))
    return ["sets a value of a session: the third argument of set_config is true"];
  return [];
}

function isTrue(argument: Tree | undefined): boolean {
  return [...nodesOf(argument)].some(([kind, { boolval }]) => kind === "boolval" && boolval === true);
}
