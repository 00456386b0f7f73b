import {
  type ClientCall,
  type ClientContract,
  onePerOperation,
  pascal,
  type Shape,
  type WireField,
  type WireRecord,
  wrapped,
} from "./contract-model.ts";

const WIDTH = 100;
const WRITTEN = "// Code generated from clients/typescript/openapi.json by `npm run generate`. DO NOT EDIT.";
/** Words that Go writes in capitals. */
const INITIALISMS = ["id", "url", "urls", "ids"];

/** `types.go`: a struct for each object of an answer or an event, and for each query and body. */
export function goTypes({ records, calls }: ClientContract): string {
  const inputs = calls.flatMap((call) => inputsOf(call));
  return `${WRITTEN}

package daric

import (
	"encoding/json"
	"time"
)

${[...records.map(answerStruct), ...inputs].join("\n")}`;
}

/** `operations.go`: the facts of each operation, and a method for it. */
export function goOperations({ calls }: ClientContract): string {
  const facts = onePerOperation(calls).map(
    (call) =>
      `\t"${call.operation}": {isKeyless: ${call.isKeyless}, isRepeatable: ${call.isRepeatable}, timeout: ${call.timeoutSeconds ?? 0} * time.Second, required: ${requiredOf(call)}},\n`,
  );
  return `${WRITTEN}

package daric

import (
	"context"
	"time"
)

var operations = map[string]operation{
${facts.map((line) => line.replace(/"([^"]+)": /, (_, name: string) => `${JSON.stringify(name)}:${" ".repeat(width(calls) - name.length)} `)).join("")}}

${calls.flatMap((call) => [method(call), ...(call.kind === "all" ? [rowsMethod(call)] : [])]).join("\n")}`;
}

/** gofmt aligns the values of a map. */
function width(calls: readonly ClientCall[]): number {
  return Math.max(...calls.map(({ operation }) => operation.length));
}

function requiredOf({ body }: ClientCall): string {
  const names = (body ?? []).filter((field) => field.isRequired).map(({ name }) => JSON.stringify(name));
  return names.length === 0 ? "nil" : `[]string{${names.join(", ")}}`;
}

function method(call: ClientCall): string {
  const name = pascal(call.id);
  const row = typeOf(call.answer);
  const type = { row, page: `Page[${row}]`, all: `Page[${row}]`, feed: `Feed[${row}]`, file: "File" }[
    call.kind
  ];
  // A slice is nil after a failure, and a struct is a pointer.
  const isList = type.startsWith("[]");
  const input = inputOf(call);
  const path =
    call.path.length === 0
      ? "nil"
      : `map[string]string{${call.path.map((part) => `"${part}": ${part}`).join(", ")}}`;
  const parameters = [
    "ctx context.Context",
    ...call.path.map((part) => `${part} string`),
    ...(input === undefined ? [] : [`${input.argument} ${input.type}`]),
    "options ...CallOption",
  ];
  const parts = [
    `path: ${path}`,
    ...(input === undefined ? [] : [`${input.argument}: ${input.argument}`]),
  ].filter((part) => part !== "path: nil");
  const call_ = `c.${{ row: "call", page: "page", all: "page", feed: "page", file: "file" }[call.kind]}(ctx, "${call.operation}", parts{${parts.join(", ")}}, &answer, options)`;
  const result = isList
    ? `	err := ${call_}\n	return answer, err\n`
    : `	if err := ${call_}; err != nil {\n		return nil, err\n	}\n	return &answer, nil\n`;
  return `${comment([`${name}: ${lowered(call.summary)}.`, call.description], "")}func (c *Client) ${name}(${parameters.join(", ")}) (${isList ? type : `*${type}`}, error) {
	var answer ${type}
${result}}
`;
}

function rowsMethod(call: ClientCall): string {
  const name = pascal(call.id);
  const all = name.replace(/^List/, "All");
  return `// ${all} gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) ${all}(ctx context.Context, query ${name}Query, options ...CallOption) *Rows[${typeOf(call.answer)}] {
	read := func(after string, limit int64) (*Page[${typeOf(call.answer)}], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.${name}(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row ${typeOf(call.answer)}) string { return row.ID })
}
`;
}

function inputOf(call: ClientCall) {
  if (call.query.length > 0) return { argument: "query", type: `${pascal(call.id)}Query` };
  return call.body === undefined ? undefined : { argument: "body", type: `${pascal(call.id)}Body` };
}

function inputsOf(call: ClientCall): string[] {
  const input = inputOf(call);
  if (input === undefined) return [];
  const lines = (call.body ?? call.query).map((field) => {
    const type = sentType(field, { isPatch: call.isPatch, isQuery: input.argument === "query" });
    const omit = field.isRequired ? "" : ",omitempty";
    return structField(field, type, omit);
  });
  const what = input.argument === "query" ? "the query" : "the body";
  return [
    struct(
      input.type,
      `${input.type} is ${what} of ${pascal(call.id)}. A field that is left out is not sent.`,
      lines,
    ),
  ];
}

function answerStruct({ name, description, fields }: WireRecord): string {
  const lines = fields.map((field) => structField(field, answeredType(field), ""));
  return struct(name, description === "" ? "" : `${name}: ${lowered(description)}`, lines);
}

function struct(name: string, description: string, lines: readonly string[]): string {
  return `${comment([description], "")}type ${name} struct {\n${lines.join("")}}\n`;
}

/** A comment above each field keeps gofmt from aligning the fields. */
function structField({ name, description }: WireField, type: string, omit: string): string {
  const text = comment([description || `${goName(name)} has no description.`], "\t");
  return `${text}\t${goName(name)} ${type} \`json:"${name}${omit}"\`\n`;
}

function answeredType({ shape, isRequired, isNullable }: WireField): string {
  const type = typeOf(shape);
  const hasNil = /^(?:\[\]|map\[|json\.RawMessage)/.test(type);
  return hasNil || (isRequired && !isNullable) ? type : `*${type}`;
}

/** Zero is left out, where it means nothing. A pointer tells false and 0 from no value, and Nullable null too. */
function sentType(field: WireField, { isPatch, isQuery }: { isPatch: boolean; isQuery: boolean }): string {
  const type = typeOf(field.shape);
  if (field.isRequired) return type;
  if (isPatch && field.isNullable) return `Nullable[${type}]`;
  const needsPointer = type === "time.Time" || (!isQuery && ["bool", "int64"].includes(type));
  return needsPointer ? `*${type}` : type;
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "string";
    case "decimal":
      return "Decimal";
    case "time":
      return "time.Time";
    case "integer":
      return "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "any":
      return "json.RawMessage";
    case "enum":
      return typeof shape.values[0] === "boolean" ? "bool" : "string";
    case "list":
      return `[]${typeOf(shape.of)}`;
    case "map":
      return shape.of.kind === "any" ? "json.RawMessage" : `map[string]${typeOf(shape.of)}`;
    case "record":
      return shape.name;
  }
}

/** `depositAddressId` and `deposit_address_id` as `DepositAddressID`. */
function goName(name: string): string {
  return name
    .split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) =>
      INITIALISMS.includes(word.toLowerCase()) ? word.toUpperCase().replace(/S$/, "s") : pascal(word),
    )
    .join("");
}

function comment(paragraphs: readonly string[], indent: string): string {
  return paragraphs
    .filter((text) => text !== "")
    .map((text) =>
      wrapped(text, WIDTH)
        .map((line) => `${indent}// ${line}\n`)
        .join(""),
    )
    .join(`${indent}//\n`);
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text;
}
