import {
  type A_Expr,
  type CommonTableExpr,
  type DeleteStmt,
  type InsertStmt,
  type JoinExpr,
  type Node,
  parse,
  type RangeFunction,
  type SelectStmt,
  type SubLink,
  type UpdateStmt,
  type WithClause,
} from "libpg-query";
import {
  columnOf,
  findColumn,
  findCte,
  nameOfFunction,
  type Output,
  type QueryScope,
  type Relation,
  relationFrom,
  renamed,
  starOutputs,
  textOf,
} from "./query-scope.ts";
import { type Tables, tenantColumn } from "./schema.ts";
import { allOf, equate, type StatementAnalysis, tableRelation, want } from "./statement-analysis.ts";
import { createTies, parameter, type Ties, type Value } from "./ties.ts";

/**
 * Why a statement could touch rows of a merchant that its caller did not name; empty if it cannot. Each
 * occurrence of a merchant's table must be tied. Its merchant must equal a parameter (`= $1`, `= any($1)`, a
 * row of `unnest($1)`), a tied relation's, or one that a directory row gives for a parameter. A condition
 * ties only what it restricts: not one branch of an OR, the kept side of an outer join, or an outer query.
 * @throws Error when the text is no statement.
 */
export async function statementFaults(text: string, tables: Tables): Promise<string[]> {
  const parsed = await parse(text);
  const analysis: StatementAnalysis = {
    tables,
    ties: createTies(),
    faults: [],
    wanted: [],
    owners: new Map(),
    known: new Map(),
  };
  for (const { stmt } of parsed.stmts ?? []) if (stmt !== undefined) readQuery(analysis, stmt, undefined);
  analysis.ties.settle();
  const untied = analysis.wanted.filter(({ value }) => !value.isTied).map(({ fault }) => fault);
  return [...new Set([...analysis.faults, ...untied])];
}

const touchesNoRow = new Set(["VariableSetStmt", "VariableShowStmt", "TransactionStmt"]);

function readQuery(
  analysis: StatementAnalysis,
  node: Node,
  outer: QueryScope | undefined,
): readonly Output[] {
  const known = analysis.known.get(node);
  if (known !== undefined) return known;
  const outputs = readUnknownQuery(analysis, node, { relations: [], ctes: new Map(), outer });
  analysis.known.set(node, outputs);
  return outputs;
}

function readUnknownQuery(analysis: StatementAnalysis, node: Node, scope: QueryScope): readonly Output[] {
  if ("SelectStmt" in node) return readSelect(analysis, node.SelectStmt, scope);
  if ("InsertStmt" in node) return readInsert(analysis, node.InsertStmt, scope);
  if ("UpdateStmt" in node) return readChange(analysis, node.UpdateStmt, scope);
  if ("DeleteStmt" in node) return readChange(analysis, node.DeleteStmt, scope);
  const [kind = ""] = Object.keys(node);
  if (!touchesNoRow.has(kind)) analysis.faults.push(`is no select, insert, update or delete, but ${kind}`);
  return [];
}

function readWith(analysis: StatementAnalysis, clause: WithClause | undefined, scope: QueryScope): void {
  for (const node of clause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    const cte = node.CommonTableExpr;
    const query = cte.ctequery;
    if (query === undefined) continue;
    const anchor = clause?.recursive === true && "SelectStmt" in query ? query.SelectStmt.larg : undefined;
    // The rows of a recursion have the merchants of its anchor if each step keeps them; the check of the step
    // ensures it.
    if (anchor !== undefined) setCte(scope, cte, readQuery(analysis, { SelectStmt: anchor }, scope));
    setCte(scope, cte, readQuery(analysis, query, scope));
  }
}

function setCte(scope: QueryScope, cte: CommonTableExpr, outputs: readonly Output[]): void {
  scope.ctes.set(cte.ctename ?? "", renamed(outputs, cte.aliascolnames));
}

function readSelect(analysis: StatementAnalysis, select: SelectStmt, scope: QueryScope): readonly Output[] {
  readWith(analysis, select.withClause, scope);
  if (select.larg !== undefined && select.rarg !== undefined) {
    const left = readQuery(analysis, { SelectStmt: select.larg }, scope);
    const right = readQuery(analysis, { SelectStmt: select.rarg }, scope);
    return left.map(({ name, value }, place) => ({
      name,
      value: allOf(analysis, [value, right[place]?.value]),
    }));
  }
  for (const item of select.fromClause ?? []) addRelation(analysis, scope, item);
  addConditions(analysis, scope, select.whereClause, scope.relations);
  const { fromClause: _, withClause: __, larg: ___, rarg: ____, ...rest } = select;
  readInnerQueries(analysis, rest, scope);
  if (select.valuesLists !== undefined) return valuesOutputs(analysis, select.valuesLists, scope);
  return targetOutputs(analysis, select.targetList, scope);
}

function valuesOutputs(analysis: StatementAnalysis, lists: readonly Node[], scope: QueryScope): Output[] {
  const rows = lists.map((list) => ("List" in list ? (list.List.items ?? []) : []));
  return (rows[0] ?? []).map((_, place) => ({
    name: `column${place + 1}`,
    value: allOf(
      analysis,
      rows.map((row) => resolve(analysis, row[place], scope)),
    ),
  }));
}

function readInsert(analysis: StatementAnalysis, insert: InsertStmt, scope: QueryScope): readonly Output[] {
  readWith(analysis, insert.withClause, scope);
  const rows = insert.selectStmt === undefined ? [] : readQuery(analysis, insert.selectStmt, scope);
  const table = insert.relation?.relname ?? "";
  const tenant = tenantColumn(analysis.tables, table);
  const target = tableRelation(analysis, insert.relation ?? {}, undefined);
  scope.relations.push(target);
  if (tenant !== undefined) {
    const place = (insert.cols ?? []).findIndex((col) => "ResTarget" in col && col.ResTarget.name === tenant);
    const value = rows[place]?.value;
    const inserted = columnOf([target], tenant);
    const isNamed = place >= 0 && inserted !== undefined;
    if (!isNamed) analysis.faults.push(`an insert into ${table} names no ${tenant}`);
    else if (value === undefined) analysis.faults.push(`an insert into ${table} is of an unnamed merchant`);
    else want(analysis, value, `an insert into ${table} is of an unnamed merchant`);
    if (isNamed && value !== undefined) analysis.ties.add([value], inserted);
    requireTenantInConflict(analysis, insert, tenant);
  }
  readInnerQueries(analysis, [insert.onConflictClause, returningOf(insert)], scope);
  return targetOutputs(analysis, returningOf(insert), scope);
}

function requireTenantInConflict(analysis: StatementAnalysis, insert: InsertStmt, tenant: string): void {
  const elements = insert.onConflictClause?.infer?.indexElems;
  if (elements === undefined) return;
  if (elements.some((element) => "IndexElem" in element && element.IndexElem.name === tenant)) return;
  analysis.faults.push(`on conflict of ${insert.relation?.relname} names no ${tenant}`);
}

function readChange(
  analysis: StatementAnalysis,
  change: UpdateStmt & DeleteStmt,
  scope: QueryScope,
): readonly Output[] {
  readWith(analysis, change.withClause, scope);
  const what = "targetList" in change ? "update" : "delete";
  scope.relations.push(tableRelation(analysis, change.relation ?? {}, what));
  for (const item of change.fromClause ?? change.usingClause ?? []) addRelation(analysis, scope, item);
  addConditions(analysis, scope, change.whereClause, scope.relations);
  readInnerQueries(analysis, [change.targetList, change.whereClause, returningOf(change)], scope);
  return targetOutputs(analysis, returningOf(change), scope);
}

function returningOf(change: InsertStmt & { returningList?: Node[] }): readonly Node[] | undefined {
  return change.returningClause?.exprs ?? change.returningList;
}

/** Adds the relations of a FROM item to the scope and returns them. */
function addRelation(analysis: StatementAnalysis, scope: QueryScope, item: Node): Relation[] {
  if ("JoinExpr" in item) return addJoin(analysis, scope, item.JoinExpr);
  const relation = relationOf(analysis, scope, item);
  scope.relations.push(relation);
  return [relation];
}

function addJoin(analysis: StatementAnalysis, scope: QueryScope, join: JoinExpr): Relation[] {
  const left = join.larg === undefined ? [] : addRelation(analysis, scope, join.larg);
  const right = join.rarg === undefined ? [] : addRelation(analysis, scope, join.rarg);
  const restricted = {
    JOIN_INNER: [...left, ...right],
    JOIN_LEFT: right,
    JOIN_RIGHT: left,
  }[join.jointype as string];
  addConditions(analysis, scope, join.quals, restricted ?? []);
  for (const column of join.usingClause ?? []) {
    if (!("String" in column)) continue;
    const [one, other] = [left, right].map((side) => columnOf(side, column.String.sval ?? ""));
    equate(analysis, [one, other], restricted ?? []);
  }
  readInnerQueries(analysis, join.quals, scope);
  return [...left, ...right];
}

function relationOf(analysis: StatementAnalysis, scope: QueryScope, item: Node): Relation {
  if ("RangeVar" in item) {
    const outputs = findCte(scope, item.RangeVar);
    return outputs === undefined
      ? tableRelation(analysis, item.RangeVar, "select")
      : relationFrom(outputs, item.RangeVar.alias ?? { aliasname: item.RangeVar.relname ?? "" });
  }
  if ("RangeSubselect" in item && item.RangeSubselect.subquery !== undefined) {
    return relationFrom(readQuery(analysis, item.RangeSubselect.subquery, scope), item.RangeSubselect.alias);
  }
  if ("RangeFunction" in item) return functionRelation(analysis, scope, item.RangeFunction);
  analysis.faults.push(`reads from ${Object.keys(item).join()}, which is not supported`);
  return { alias: "", columns: [] };
}

/** A function's rows are tied like its arguments; those of `unnest` column by column. */
function functionRelation(analysis: StatementAnalysis, scope: QueryScope, range: RangeFunction): Relation {
  const [first] = range.functions ?? [];
  const [call] = first !== undefined && "List" in first ? (first.List.items ?? []) : [];
  if (call === undefined || !("FuncCall" in call)) return relationFrom([], range.alias);
  const values = (call.FuncCall.args ?? []).map((arg) => resolve(analysis, arg, scope));
  readInnerQueries(analysis, call, scope);
  const all = allOf(analysis, values);
  const names = (range.coldeflist ?? []).flatMap((col) =>
    "ColumnDef" in col ? (col.ColumnDef.colname ?? "") : [],
  );
  const isUnnest = nameOfFunction(call) === "unnest";
  const places = range.alias?.colnames?.length ?? values.length;
  const outputs: Output[] =
    names.length > 0
      ? names.map((name) => ({ name, value: all }))
      : Array.from({ length: places }, (_, place) => ({
          name: range.alias?.aliasname ?? nameOfFunction(call),
          value: isUnnest ? values[place] : all,
        }));
  return relationFrom(outputs, range.alias);
}

function addConditions(
  analysis: StatementAnalysis,
  scope: QueryScope,
  condition: Node | undefined,
  restricted: readonly Relation[],
): void {
  if (condition === undefined) return;
  if ("BoolExpr" in condition && condition.BoolExpr.boolop === "AND_EXPR") {
    for (const part of condition.BoolExpr.args ?? []) addConditions(analysis, scope, part, restricted);
  } else if ("BoolExpr" in condition && condition.BoolExpr.boolop === "OR_EXPR") {
    addChoice(analysis, scope, condition.BoolExpr.args ?? [], restricted);
  } else if ("A_Expr" in condition && isEquality(condition.A_Expr)) {
    const { lexpr, rexpr } = condition.A_Expr;
    const [left, right] = [valuesOf(analysis, lexpr, scope), valuesOf(analysis, rexpr, scope)];
    for (const [place, value] of left.entries()) equate(analysis, [value, right[place]], restricted);
  } else if ("SubLink" in condition && condition.SubLink.subLinkType === "ANY_SUBLINK") {
    const { testexpr, subselect, operName } = condition.SubLink;
    if (subselect === undefined || (operName !== undefined && textOf(operName.at(-1)) !== "=")) return;
    const outputs = readQuery(analysis, subselect, scope);
    for (const [place, value] of valuesOf(analysis, testexpr, scope).entries()) {
      equate(analysis, [value, outputs[place]?.value], restricted);
    }
  }
}

/** An OR ties only what each branch ties. */
function addChoice(
  analysis: StatementAnalysis,
  scope: QueryScope,
  conditions: readonly Node[],
  restricted: readonly Relation[],
): void {
  const [first = [], ...others] = conditions.map((condition) => {
    const rules: { from: readonly Value[]; to: Value }[] = [];
    const isOwn = (value: Value) => restricted.some((relation) => relation === analysis.owners.get(value));
    const ties: Ties = {
      ...analysis.ties,
      // Ties of an inner query are valid only inside it.
      add: (from, to) => (isOwn(to) ? rules.push({ from, to }) : analysis.ties.add(from, to)),
    };
    addConditions({ ...analysis, ties }, scope, condition, restricted);
    return rules;
  });
  for (const { from, to } of first) {
    const alike = others.map((rules) => rules.find((rule) => rule.to === to)?.from);
    if (alike.every((column) => column !== undefined)) analysis.ties.add([...from, ...alike.flat()], to);
  }
}

function isEquality({ kind, name }: A_Expr): boolean {
  return ["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_IN"].includes(kind as string) && textOf(name?.at(-1)) === "=";
}

function valuesOf(
  analysis: StatementAnalysis,
  node: Node | undefined,
  scope: QueryScope,
): (Value | undefined)[] {
  if (node !== undefined && "RowExpr" in node) {
    return (node.RowExpr.args ?? []).map((arg) => resolve(analysis, arg, scope));
  }
  return [resolve(analysis, node, scope)];
}

/** The merchant of an expression; undefined if unknown. */
function resolve(analysis: StatementAnalysis, node: Node | undefined, scope: QueryScope): Value | undefined {
  if (node === undefined) return undefined;
  if ("ParamRef" in node) return parameter;
  if ("TypeCast" in node) return resolve(analysis, node.TypeCast.arg, scope);
  if ("ColumnRef" in node) return findColumn(scope, (node.ColumnRef.fields ?? []).map(textOf));
  if ("List" in node)
    return allOf(
      analysis,
      (node.List.items ?? []).map((item) => resolve(analysis, item, scope)),
    );
  if ("A_ArrayExpr" in node) {
    return allOf(
      analysis,
      (node.A_ArrayExpr.elements ?? []).map((item) => resolve(analysis, item, scope)),
    );
  }
  if ("SubLink" in node && isValue(node.SubLink) && node.SubLink.subselect !== undefined) {
    return readQuery(analysis, node.SubLink.subselect, scope)[0]?.value;
  }
  const keepsMerchants = ["unnest", "array_agg", "min", "max"].includes(nameOfFunction(node));
  if ("FuncCall" in node && keepsMerchants) return resolve(analysis, node.FuncCall.args?.[0], scope);
  return undefined;
}

function isValue({ subLinkType }: SubLink): boolean {
  return ["EXPR_SUBLINK", "ARRAY_SUBLINK"].includes(subLinkType as string);
}

/** Reads every query inside an expression, so that its tables are checked too. */
function readInnerQueries(analysis: StatementAnalysis, part: unknown, scope: QueryScope): void {
  if (typeof part !== "object" || part === null) return;
  if ("SubLink" in part) {
    const { subselect, testexpr } = (part as { SubLink: SubLink }).SubLink;
    if (subselect !== undefined) readQuery(analysis, subselect, scope);
    readInnerQueries(analysis, testexpr, scope);
    return;
  }
  for (const inner of Object.values(part)) readInnerQueries(analysis, inner, scope);
}

function targetOutputs(
  analysis: StatementAnalysis,
  targets: readonly Node[] | undefined,
  scope: QueryScope,
): Output[] {
  return (targets ?? []).flatMap((target): Output[] => {
    const { name, val } = "ResTarget" in target ? target.ResTarget : {};
    const fields = val !== undefined && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
    const last = fields.at(-1);
    if (last !== undefined && "A_Star" in last) return starOutputs(scope, fields.slice(0, -1).map(textOf));
    const own = last === undefined ? (val === undefined ? "" : nameOfFunction(val)) : textOf(last);
    return [{ name: name ?? own, value: resolve(analysis, val, scope) }];
  });
}
