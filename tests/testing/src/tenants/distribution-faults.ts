import { placedTables } from "@daric/server/deployment/placement";
import { nodesOf, parseTrees, type Tree } from "./statement-tree.ts";

const placementOf = new Map(placedTables.map(({ table, placement }) => [table, placement]));
const isOfMerchant = (table: string): boolean => placementOf.get(table) === "by merchant";
/** Functions whose value the coordinator of a distributed database has to fill in. */
const VOLATILE = new Set(["now", "statement_timestamp", "clock_timestamp", "random", "gen_random_uuid"]);
const WRITES: ReadonlySet<string> = new Set(["InsertStmt", "UpdateStmt", "DeleteStmt"]);

const UNTIED_LOCK =
  "rows are locked without a merchant beside the lock: compare merchant_id with a parameter";
const PAGE_OF_ALL = "each item of a list has a page of all merchants' rows: write a union of the pages";
const UNTIED_DECISION =
  "a lateral query without FROM asks for rows of merchants: compare merchant_id with a parameter there";
/** A statement about several merchants gets one of them on a distributed database. */
const OF_ALL_ALONE: ReadonlySet<string> = new Set([UNTIED_LOCK, PAGE_OF_ALL, UNTIED_DECISION]);
/**
 * The forms of `oneOf` and `joinedOf` for several merchants; a distributed database gets one merchant per
 * statement.
 */
const OF_SEVERAL = /\bmerchant_id = any\(|\b(?:where|on|and) true\b/;

/**
 * Returns the parts of a statement that a distributed database refuses, each with its replacement; empty if there
 * is none. They were found by running every statement on Citus 13.
 *
 * @throws Error when the text is no statement.
 */
export async function distributionFaults(text: string): Promise<string[]> {
  const faults = new Set<string>();
  const isOfOne = !OF_SEVERAL.test(text);
  for (const stmt of await parseTrees(text)) {
    for (const [kind, node] of nodesOf(stmt))
      for (const fault of faultsOf(kind, node)) if (isOfOne || !OF_ALL_ALONE.has(fault)) faults.add(fault);
  }
  return [...faults];
}

function* faultsOf(kind: string, node: Tree): Generator<string> {
  if (kind === "WithClause" && node.recursive === true && readsSeveralMerchants(node))
    yield "a recursive query reads rows of several merchants: compare merchant_id with a parameter in each part";
  if (kind === "CommonTableExpr" && isLockBesideOthers(node.ctequery))
    yield "a CTE locks rows of one relation beside another: put the locking query into a subquery of the CTE";
  if (kind === "CaseExpr" && node.arg !== undefined)
    yield "a case compares one value with several: write each comparison, which a write keeps";
  if (kind === "RangeSubselect" && node.lateral === true && asksWithoutMerchant(node.subquery))
    yield UNTIED_DECISION;
  if (kind === "SelectStmt") yield* selectFaults(node);
  if (kind === "InsertStmt") yield* insertFaults(node);
  if (kind === "UpdateStmt") yield* updateFaults(node);
}

function* selectFaults(select: Tree): Generator<string> {
  for (const [kind, node] of nodesOf(select.targetList))
    if (kind === "SubLink" && node.subLinkType === "EXISTS_SUBLINK" && isEmptyOfAll(node.subselect))
      yield "an exists in the select list selects no column: write `select 1`";
  const tables = relationsOf(select.fromClause);
  for (const [kind, node] of nodesOf(select.targetList))
    if (kind === "SubLink" && tables.some(isOfMerchant) && isCorrelated(node.subselect))
      if (tablesOf(node.subselect).some((table) => placementOf.get(table) === "on the coordinator"))
        yield "a column reads a table of the coordinator for each row of a merchant: write a query of its own";
  for (const [kind, node] of nodesOf(select.whereClause)) {
    const read = kind === "SubLink" && isCorrelated(node.subselect) ? tablesOf(node.subselect) : [];
    if (read.some((table) => placementOf.get(table) === "on the coordinator"))
      yield "a subquery about each row reads a table of the coordinator: place it on every node";
    const isOfDirectory = tables.some((table) => placementOf.get(table) === "on every server");
    if (isOfDirectory && !tables.some(isOfMerchant) && read.some(isOfMerchant))
      yield "rows of a directory are chosen by rows of merchants: query the directory first, then each merchant";
    if (kind === "SubLink" && tables.some(isOfMerchant) && choosesDirectoryRows(node.subselect))
      yield "rows of a directory are chosen by a subquery about a merchant's row: write a list of its own, with a window";
  }
  if (select.lockingClause !== undefined && tables.some(isOfMerchant) && !namesMerchant(select))
    yield UNTIED_LOCK;
  const from = [...nodesOf(select.fromClause)];
  if (from.some(([kind]) => kind === "RangeFunction") && from.some((part) => isPageOfAll(part)))
    yield PAGE_OF_ALL;
}

/** Whether a query without FROM has a subquery about merchants' rows that compares no merchant with a parameter. */
function asksWithoutMerchant(subquery: unknown): boolean {
  const select = (subquery as Tree | undefined)?.SelectStmt as Tree | undefined;
  if (select === undefined || select.fromClause !== undefined) return false;
  return [...nodesOf(select.targetList)].some(([kind, node]) => {
    const asked = (node.subselect as Tree | undefined)?.SelectStmt as Tree | undefined;
    if (kind !== "SubLink" || asked === undefined) return false;
    return relationsOf(asked.fromClause).some(isOfMerchant) && !namesMerchant(asked);
  });
}

/** Whether a part of a FROM clause is a lateral query of merchants' rows alone, with a limit and without a merchant. */
function isPageOfAll([kind, node]: readonly [string, Tree]): boolean {
  const select = (node.subquery as Tree | undefined)?.SelectStmt as Tree | undefined;
  if (kind !== "RangeSubselect" || node.lateral !== true || select?.limitCount === undefined) return false;
  return relationsOf(select.fromClause).every(isOfMerchant) && !namesMerchant(select);
}

function* insertFaults(insert: Tree): Generator<string> {
  if (standsOnCoordinator(insert.relation)) return;
  const behind = [...nodesOf(insert.withClause)];
  if (behind.some(([kind, node]) => WRITES.has(kind) && !standsOnCoordinator(node.relation)))
    yield "an insert stands behind a CTE that writes: make the insert a CTE too";
  const conflict = insert.onConflictClause as Tree | undefined;
  if (callsVolatile(conflict?.targetList)) yield "do update sets a time: take it from `excluded`";
  const source = (insert.selectStmt as Tree | undefined)?.SelectStmt as Tree | undefined;
  const relation = insert.relation as Tree | undefined;
  const returns = [...nodesOf(insert.returningClause ?? insert.returningList)];
  const from = (source?.fromClause as readonly Tree[] | undefined) ?? [];
  const isPushedDown =
    relationsOf(from).some(isOfMerchant) && ![...nodesOf(from)].some(([kind]) => kind === "RangeFunction");
  if (isPushedDown && relation?.alias === undefined && returns.some(([kind]) => kind === "A_Star"))
    yield "an insert of selected rows returns them: give the table an alias";
}

function* updateFaults(update: Tree): Generator<string> {
  if (standsOnCoordinator(update.relation)) return;
  for (const [kind, node] of nodesOf(update.targetList)) {
    if ((kind === "CaseExpr" || kind === "CoalesceExpr") && callsVolatile(node))
      yield "an update chooses between a time and another value: join `(select now() as now) clock`";
    if (kind === "A_Expr" && isMovedColumn(node))
      yield "an update moves a time by an interval: write `laterBy`, which is immutable";
  }
  for (const [kind, node] of nodesOf(update.whereClause))
    if (kind === "FuncCall" && isTruncatedColumn(node))
      yield "an update compares a shortened time: compare the column with both ends";
}

function standsOnCoordinator(relation: unknown): boolean {
  return placementOf.get(String((relation as Tree | undefined)?.relname)) === "on the coordinator";
}

/** Whether a locking query has a second relation in FROM or IN, whose columns the lock would include. */
function isLockBesideOthers(query: unknown): boolean {
  const select = (query as Tree | undefined)?.SelectStmt as Tree | undefined;
  if (select?.lockingClause === undefined || !relationsOf(select.fromClause).some(isOfMerchant)) return false;
  const from = select.fromClause as readonly Tree[] | undefined;
  const isJoined = (from?.length ?? 0) > 1 || from?.some((item) => "JoinExpr" in item) === true;
  const isIn = [...nodesOf(select.whereClause)].some(
    ([kind, node]) => kind === "SubLink" && node.subLinkType === "ANY_SUBLINK",
  );
  return isJoined || isIn;
}

/**
 * Whether an expression adds an interval to a time column, or subtracts one, without `at time zone` around the
 * column.
 */
function isMovedColumn({ name, lexpr, rexpr }: Tree): boolean {
  const operator = [...nodesOf(name)].find(([kind]) => kind === "String")?.[1].sval;
  if (operator !== "+" && operator !== "-") return false;
  const isColumn = (side: unknown) => side !== undefined && "ColumnRef" in (side as Tree);
  const isInterval = (side: unknown) =>
    [...nodesOf(side)].some(
      ([kind, node]) =>
        kind === "TypeName" && [...nodesOf(node.names)].some(([, part]) => part.sval === "interval"),
    );
  return isColumn(lexpr) && isInterval(rexpr);
}

/** A column of time that `date_trunc` shortens by the zone of the session. */
function isTruncatedColumn({ funcname, args }: Tree): boolean {
  const isTrunc = [...nodesOf(funcname)].some(([, part]) => part.sval === "date_trunc");
  return isTrunc && [...nodesOf(args)].some(([kind]) => kind === "ColumnRef");
}

/** Whether the condition compares the merchant with a parameter, or the rows with a list of parameters. */
function namesMerchant(select: Tree): boolean {
  const conditions = [...nodesOf(select.whereClause), ...nodesOf(select.fromClause)];
  return conditions.some(([kind, node]) => {
    if (kind === "SubLink") return readsUnnest(node.subselect);
    if (kind !== "A_Expr") return false;
    const columns = [...nodesOf(node.lexpr)].map(([, part]) => part.sval);
    const isMerchant = columns.includes("merchant_id") || columns.includes("id");
    return isMerchant && [...nodesOf(node.rexpr)].some(([side]) => side === "ParamRef");
  });
}

function readsUnnest(subselect: unknown): boolean {
  const from = ((subselect as Tree | undefined)?.SelectStmt as Tree | undefined)?.fromClause;
  return ((from as readonly Tree[] | undefined) ?? []).some((item) => "RangeFunction" in item);
}

/** Whether a query about all merchants selects no column; such a query runs on every node. */
function isEmptyOfAll(subselect: unknown): boolean {
  const select = (subselect as Tree | undefined)?.SelectStmt as Tree | undefined;
  if (select === undefined || select.targetList !== undefined) return false;
  return relationsOf(select.fromClause).some(isOfMerchant) && !namesMerchant(select);
}

/** Whether a query below reads merchants' rows without the one merchant whose node can run all of it. */
function readsSeveralMerchants(tree: Tree): boolean {
  return [...nodesOf(tree)].some(
    ([, select]) => relationsOf(select.fromClause).some(isOfMerchant) && !isOfOneMerchant(select),
  );
}

function isOfOneMerchant(select: Tree): boolean {
  return [...nodesOf(select.whereClause)].some(([kind, { kind: form, lexpr, rexpr }]) => {
    if (kind !== "A_Expr" || form !== "AEXPR_OP" || rexpr === undefined) return false;
    const isMerchant = [...nodesOf(lexpr)].some(([, { sval }]) => sval === "merchant_id");
    return isMerchant && "ParamRef" in (rexpr as Tree);
  });
}

function callsVolatile(tree: unknown): boolean {
  return [...nodesOf(tree)].some(
    ([kind, node]) =>
      kind === "FuncCall" &&
      [...nodesOf(node.funcname)].some(
        ([, part]) => typeof part.sval === "string" && VOLATILE.has(part.sval),
      ),
  );
}

function tablesOf(subselect: unknown): string[] {
  return relationsOf(((subselect as Tree | undefined)?.SelectStmt as Tree | undefined)?.fromClause);
}

/** Whether a subquery reads rows of directories, which another subquery chooses by a row outside of both. */
function choosesDirectoryRows(subselect: unknown): boolean {
  const tables = tablesOf(subselect);
  if (tables.length === 0 || tables.some((table) => placementOf.get(table) !== "on every server"))
    return false;
  const { whereClause } = (subselect as { SelectStmt: Tree }).SelectStmt;
  return [...nodesOf(whereClause)].some(([kind, node]) => kind === "SubLink" && isCorrelated(node.subselect));
}

/** Whether a subquery names a column of a table that its own FROM clauses do not name. */
function isCorrelated(subselect: unknown): boolean {
  const all = [...nodesOf(subselect)];
  const names = new Set(
    all.flatMap(([kind, node]) => {
      const alias = (node.alias as Tree | undefined)?.aliasname;
      return kind === "RangeVar" || alias !== undefined ? [String(alias ?? node.relname)] : [];
    }),
  );
  return all.some(([kind, node]) => {
    const fields = [...nodesOf(node.fields)].flatMap(([, part]) =>
      typeof part.sval === "string" ? [part.sval] : [],
    );
    return kind === "ColumnRef" && fields.length > 1 && !names.has(fields[0] ?? "");
  });
}

/** The tables of a FROM clause, those of its joins included, those of its subqueries not. */
function relationsOf(from: unknown): string[] {
  if (!Array.isArray(from)) return [];
  return (from as readonly Tree[]).flatMap((item): string[] => {
    const join = item.JoinExpr as Tree | undefined;
    if (join !== undefined) return relationsOf([join.larg, join.rarg]);
    const table = (item.RangeVar as Tree | undefined)?.relname;
    return typeof table === "string" ? [table] : [];
  });
}
