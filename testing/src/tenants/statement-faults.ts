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
import { allOf, equate, type Reading, tableRelation, want } from "./reading.ts";
import { type Tables, tenantColumn } from "./schema.ts";
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
  const reading: Reading = {
    tables,
    ties: createTies(),
    faults: [],
    wanted: [],
    owners: new Map(),
    known: new Map(),
  };
  for (const { stmt } of parsed.stmts ?? []) if (stmt !== undefined) readQuery(reading, stmt, undefined);
  reading.ties.settle();
  const untied = reading.wanted.filter(({ value }) => !value.isTied).map(({ fault }) => fault);
  return [...new Set([...reading.faults, ...untied])];
}

const touchesNoRow = new Set(["VariableSetStmt", "VariableShowStmt", "TransactionStmt"]);

function readQuery(reading: Reading, node: Node, outer: QueryScope | undefined): readonly Output[] {
  const known = reading.known.get(node);
  if (known !== undefined) return known;
  const outputs = readUnknownQuery(reading, node, { relations: [], ctes: new Map(), outer });
  reading.known.set(node, outputs);
  return outputs;
}

function readUnknownQuery(reading: Reading, node: Node, scope: QueryScope): readonly Output[] {
  if ("SelectStmt" in node) return readSelect(reading, node.SelectStmt, scope);
  if ("InsertStmt" in node) return readInsert(reading, node.InsertStmt, scope);
  if ("UpdateStmt" in node) return readChange(reading, node.UpdateStmt, scope);
  if ("DeleteStmt" in node) return readChange(reading, node.DeleteStmt, scope);
  const [kind = ""] = Object.keys(node);
  if (!touchesNoRow.has(kind)) reading.faults.push(`is no select, insert, update or delete, but ${kind}`);
  return [];
}

function readWith(reading: Reading, clause: WithClause | undefined, scope: QueryScope): void {
  for (const node of clause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    const cte = node.CommonTableExpr;
    const query = cte.ctequery;
    if (query === undefined) continue;
    const anchor = clause?.recursive === true && "SelectStmt" in query ? query.SelectStmt.larg : undefined;
    // A recursion has the merchants of its anchor if each step keeps to them, which is checked on the step.
    if (anchor !== undefined) setCte(scope, cte, readQuery(reading, { SelectStmt: anchor }, scope));
    setCte(scope, cte, readQuery(reading, query, scope));
  }
}

function setCte(scope: QueryScope, cte: CommonTableExpr, outputs: readonly Output[]): void {
  scope.ctes.set(cte.ctename ?? "", renamed(outputs, cte.aliascolnames));
}

function readSelect(reading: Reading, select: SelectStmt, scope: QueryScope): readonly Output[] {
  readWith(reading, select.withClause, scope);
  if (select.larg !== undefined && select.rarg !== undefined) {
    const left = readQuery(reading, { SelectStmt: select.larg }, scope);
    const right = readQuery(reading, { SelectStmt: select.rarg }, scope);
    return left.map(({ name, value }, place) => ({
      name,
      value: allOf(reading, [value, right[place]?.value]),
    }));
  }
  for (const item of select.fromClause ?? []) addRelation(reading, scope, item);
  addConditions(reading, scope, select.whereClause, scope.relations);
  const { fromClause: _, withClause: __, larg: ___, rarg: ____, ...rest } = select;
  readInnerQueries(reading, rest, scope);
  if (select.valuesLists !== undefined) return valuesOutputs(reading, select.valuesLists, scope);
  return targetOutputs(reading, select.targetList, scope);
}

function valuesOutputs(reading: Reading, lists: readonly Node[], scope: QueryScope): Output[] {
  const rows = lists.map((list) => ("List" in list ? (list.List.items ?? []) : []));
  return (rows[0] ?? []).map((_, place) => ({
    name: `column${place + 1}`,
    value: allOf(
      reading,
      rows.map((row) => resolve(reading, row[place], scope)),
    ),
  }));
}

function readInsert(reading: Reading, insert: InsertStmt, scope: QueryScope): readonly Output[] {
  readWith(reading, insert.withClause, scope);
  const rows = insert.selectStmt === undefined ? [] : readQuery(reading, insert.selectStmt, scope);
  const table = insert.relation?.relname ?? "";
  const tenant = tenantColumn(reading.tables, table);
  const target = tableRelation(reading, insert.relation ?? {}, undefined);
  scope.relations.push(target);
  if (tenant !== undefined) {
    const place = (insert.cols ?? []).findIndex((col) => "ResTarget" in col && col.ResTarget.name === tenant);
    const value = rows[place]?.value;
    const inserted = columnOf([target], tenant);
    const isNamed = place >= 0 && inserted !== undefined;
    if (!isNamed) reading.faults.push(`an insert into ${table} names no ${tenant}`);
    else if (value === undefined) reading.faults.push(`an insert into ${table} is of an unnamed merchant`);
    else want(reading, value, `an insert into ${table} is of an unnamed merchant`);
    if (isNamed && value !== undefined) reading.ties.add([value], inserted);
    requireTenantInConflict(reading, insert, tenant);
  }
  readInnerQueries(reading, [insert.onConflictClause, returningOf(insert)], scope);
  return targetOutputs(reading, returningOf(insert), scope);
}

function requireTenantInConflict(reading: Reading, insert: InsertStmt, tenant: string): void {
  const elements = insert.onConflictClause?.infer?.indexElems;
  if (elements === undefined) return;
  if (elements.some((element) => "IndexElem" in element && element.IndexElem.name === tenant)) return;
  reading.faults.push(`on conflict of ${insert.relation?.relname} names no ${tenant}`);
}

function readChange(reading: Reading, change: UpdateStmt & DeleteStmt, scope: QueryScope): readonly Output[] {
  readWith(reading, change.withClause, scope);
  const what = "targetList" in change ? "update" : "delete";
  scope.relations.push(tableRelation(reading, change.relation ?? {}, what));
  for (const item of change.fromClause ?? change.usingClause ?? []) addRelation(reading, scope, item);
  addConditions(reading, scope, change.whereClause, scope.relations);
  readInnerQueries(reading, [change.targetList, change.whereClause, returningOf(change)], scope);
  return targetOutputs(reading, returningOf(change), scope);
}

function returningOf(change: InsertStmt & { returningList?: Node[] }): readonly Node[] | undefined {
  return change.returningClause?.exprs ?? change.returningList;
}

/** Adds the relations of a FROM item to the scope and returns them. */
function addRelation(reading: Reading, scope: QueryScope, item: Node): Relation[] {
  if ("JoinExpr" in item) return addJoin(reading, scope, item.JoinExpr);
  const relation = relationOf(reading, scope, item);
  scope.relations.push(relation);
  return [relation];
}

function addJoin(reading: Reading, scope: QueryScope, join: JoinExpr): Relation[] {
  const left = join.larg === undefined ? [] : addRelation(reading, scope, join.larg);
  const right = join.rarg === undefined ? [] : addRelation(reading, scope, join.rarg);
  const restricted = {
    JOIN_INNER: [...left, ...right],
    JOIN_LEFT: right,
    JOIN_RIGHT: left,
  }[join.jointype as string];
  addConditions(reading, scope, join.quals, restricted ?? []);
  for (const column of join.usingClause ?? []) {
    if (!("String" in column)) continue;
    const [one, other] = [left, right].map((side) => columnOf(side, column.String.sval ?? ""));
    equate(reading, [one, other], restricted ?? []);
  }
  readInnerQueries(reading, join.quals, scope);
  return [...left, ...right];
}

function relationOf(reading: Reading, scope: QueryScope, item: Node): Relation {
  if ("RangeVar" in item) {
    const outputs = findCte(scope, item.RangeVar);
    return outputs === undefined
      ? tableRelation(reading, item.RangeVar, "select")
      : relationFrom(outputs, item.RangeVar.alias ?? { aliasname: item.RangeVar.relname ?? "" });
  }
  if ("RangeSubselect" in item && item.RangeSubselect.subquery !== undefined) {
    return relationFrom(readQuery(reading, item.RangeSubselect.subquery, scope), item.RangeSubselect.alias);
  }
  if ("RangeFunction" in item) return functionRelation(reading, scope, item.RangeFunction);
  reading.faults.push(`reads from ${Object.keys(item).join()}, which is not supported`);
  return { alias: "", columns: [] };
}

/** A function's rows are tied like its arguments; those of `unnest` column by column. */
function functionRelation(reading: Reading, scope: QueryScope, range: RangeFunction): Relation {
  const [first] = range.functions ?? [];
  const [call] = first !== undefined && "List" in first ? (first.List.items ?? []) : [];
  if (call === undefined || !("FuncCall" in call)) return relationFrom([], range.alias);
  const values = (call.FuncCall.args ?? []).map((arg) => resolve(reading, arg, scope));
  readInnerQueries(reading, call, scope);
  const all = allOf(reading, values);
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
  reading: Reading,
  scope: QueryScope,
  condition: Node | undefined,
  restricted: readonly Relation[],
): void {
  if (condition === undefined) return;
  if ("BoolExpr" in condition && condition.BoolExpr.boolop === "AND_EXPR") {
    for (const part of condition.BoolExpr.args ?? []) addConditions(reading, scope, part, restricted);
  } else if ("BoolExpr" in condition && condition.BoolExpr.boolop === "OR_EXPR") {
    addChoice(reading, scope, condition.BoolExpr.args ?? [], restricted);
  } else if ("A_Expr" in condition && isEquality(condition.A_Expr)) {
    const { lexpr, rexpr } = condition.A_Expr;
    const [left, right] = [valuesOf(reading, lexpr, scope), valuesOf(reading, rexpr, scope)];
    for (const [place, value] of left.entries()) equate(reading, [value, right[place]], restricted);
  } else if ("SubLink" in condition && condition.SubLink.subLinkType === "ANY_SUBLINK") {
    const { testexpr, subselect, operName } = condition.SubLink;
    if (subselect === undefined || (operName !== undefined && textOf(operName.at(-1)) !== "=")) return;
    const outputs = readQuery(reading, subselect, scope);
    for (const [place, value] of valuesOf(reading, testexpr, scope).entries()) {
      equate(reading, [value, outputs[place]?.value], restricted);
    }
  }
}

/** An OR ties only what each branch ties. */
function addChoice(
  reading: Reading,
  scope: QueryScope,
  conditions: readonly Node[],
  restricted: readonly Relation[],
): void {
  const [first = [], ...others] = conditions.map((condition) => {
    const rules: { from: readonly Value[]; to: Value }[] = [];
    const isOwn = (value: Value) => restricted.some((relation) => relation === reading.owners.get(value));
    const ties: Ties = {
      ...reading.ties,
      // Ties of an inner query hold inside it.
      add: (from, to) => (isOwn(to) ? rules.push({ from, to }) : reading.ties.add(from, to)),
    };
    addConditions({ ...reading, ties }, scope, condition, restricted);
    return rules;
  });
  for (const { from, to } of first) {
    const alike = others.map((rules) => rules.find((rule) => rule.to === to)?.from);
    if (alike.every((one) => one !== undefined)) reading.ties.add([...from, ...alike.flat()], to);
  }
}

function isEquality({ kind, name }: A_Expr): boolean {
  return ["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_IN"].includes(kind as string) && textOf(name?.at(-1)) === "=";
}

function valuesOf(reading: Reading, node: Node | undefined, scope: QueryScope): (Value | undefined)[] {
  if (node !== undefined && "RowExpr" in node) {
    return (node.RowExpr.args ?? []).map((arg) => resolve(reading, arg, scope));
  }
  return [resolve(reading, node, scope)];
}

/** The merchant of an expression; undefined if unknown. */
function resolve(reading: Reading, node: Node | undefined, scope: QueryScope): Value | undefined {
  if (node === undefined) return undefined;
  if ("ParamRef" in node) return parameter;
  if ("TypeCast" in node) return resolve(reading, node.TypeCast.arg, scope);
  if ("ColumnRef" in node) return findColumn(scope, (node.ColumnRef.fields ?? []).map(textOf));
  if ("List" in node)
    return allOf(
      reading,
      (node.List.items ?? []).map((item) => resolve(reading, item, scope)),
    );
  if ("A_ArrayExpr" in node) {
    return allOf(
      reading,
      (node.A_ArrayExpr.elements ?? []).map((item) => resolve(reading, item, scope)),
    );
  }
  if ("SubLink" in node && isValue(node.SubLink) && node.SubLink.subselect !== undefined) {
    return readQuery(reading, node.SubLink.subselect, scope)[0]?.value;
  }
  const keepsMerchants = ["unnest", "array_agg", "min", "max"].includes(nameOfFunction(node));
  if ("FuncCall" in node && keepsMerchants) return resolve(reading, node.FuncCall.args?.[0], scope);
  return undefined;
}

function isValue({ subLinkType }: SubLink): boolean {
  return ["EXPR_SUBLINK", "ARRAY_SUBLINK"].includes(subLinkType as string);
}

/** Reads every query inside an expression, so that its tables are checked too. */
function readInnerQueries(reading: Reading, part: unknown, scope: QueryScope): void {
  if (typeof part !== "object" || part === null) return;
  if ("SubLink" in part) {
    const { subselect, testexpr } = (part as { SubLink: SubLink }).SubLink;
    if (subselect !== undefined) readQuery(reading, subselect, scope);
    readInnerQueries(reading, testexpr, scope);
    return;
  }
  for (const inner of Object.values(part)) readInnerQueries(reading, inner, scope);
}

function targetOutputs(reading: Reading, targets: readonly Node[] | undefined, scope: QueryScope): Output[] {
  return (targets ?? []).flatMap((target): Output[] => {
    const { name, val } = "ResTarget" in target ? target.ResTarget : {};
    const fields = val !== undefined && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
    const last = fields.at(-1);
    if (last !== undefined && "A_Star" in last) return starOutputs(scope, fields.slice(0, -1).map(textOf));
    const own = last === undefined ? (val === undefined ? "" : nameOfFunction(val)) : textOf(last);
    return [{ name: name ?? own, value: resolve(reading, val, scope) }];
  });
}
