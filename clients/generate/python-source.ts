import {
  type ClientCall,
  type ClientContract,
  pascal,
  type Shape,
  snake,
  type WireField,
  type WireRecord,
  wrapped,
} from "./contract-model.ts";

const WIDTH = 100;
/** Words of Python that a name must not be. */
const KEYWORDS = ["from", "class", "global", "import", "pass", "in", "is", "not", "or", "and", "if", "for"];
const WRITTEN = "# Written from clients/typescript/openapi.json by `npm run generate`.\n";

/** `src/daric/_types.py`: a frozen dataclass for each object of an answer or an event. */
export function pythonTypes({ records, events }: ClientContract): string {
  const bodies = [...new Set(events.map(({ record }) => record))];
  return `${WRITTEN}from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Type, Union

${records.map(recordClass).join("\n\n")}

WebhookEvent = Union[${[...bodies, "EventRow"].join(", ")}]
"""An event by its name. It is an \`\`EventRow\`\` if this version does not know the name, or if \`\`data\`\` is kept no more."""

EVENTS: Mapping[str, Type[Any]] = {
${events.map(({ name, record }) => `    "${name}": ${record},\n`).join("")}}
`;
}

function recordClass({ name, description, fields }: WireRecord): string {
  const lines = fields.map((field) => {
    const secret = field.name === "secret" ? " = field(repr=False)" : "";
    const type = answeredType(field);
    return `    ${pythonName(field.name)}: ${type}${secret}\n${docstring([field.description], "    ")}`;
  });
  return `@dataclass(frozen=True)\nclass ${name}:\n${docstring([description], "    ")}\n${lines.join("")}`;
}

/** `src/daric/_operations.py`: the operations, and a method for each in the blocking and the asynchronous client. */
export function pythonOperations({ records, calls }: ClientContract): string {
  const names = records.map(({ name }) => name).filter((name) => calls.some((call) => usesName(call, name)));
  return `${WRITTEN}from __future__ import annotations

from datetime import datetime
from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Mapping, Optional, Sequence

from ._operation import UNSET, CallOptions, Feed, File, Money, OnceMade, Operation, Page
from ._types import (
${names.map((name) => `    ${name},\n`).join("")})

${calls.map(operationConstant).join("")}

class Operations:
    """Every operation of the contract, in a client that waits for each answer."""

    def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        raise NotImplementedError

    def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Iterator[Any]:
        raise NotImplementedError

    def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        raise NotImplementedError

${methods(calls, { def: "def", wait: "", iterator: "Iterator", isDocumented: true })}

class AsyncOperations:
    """Every operation of the contract, in a client for asyncio."""

    async def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    async def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    async def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        raise NotImplementedError

    def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        raise NotImplementedError

${methods(calls, { def: "async def", wait: "await ", iterator: "AsyncIterator", isDocumented: false })}`;
}

type Style = { def: string; wait: string; iterator: string; isDocumented: boolean };

function methods(calls: readonly ClientCall[], style: Style): string {
  return calls
    .flatMap((call) => [
      method(call, style),
      ...(call.kind === "all" ? [rowsMethod(call, style)] : []),
      ...(call.id === "createDepositAddress" ? [onceMethod(call, style)] : []),
    ])
    .join("\n");
}

function operationConstant(call: ClientCall): string {
  const required = (call.body ?? []).filter((field) => field.isRequired).map(({ name }) => name);
  const facts = [
    `"${call.operation}"`,
    typeOf(call.answer, "answered"),
    ...(call.isKeyless ? ["is_keyless=True"] : []),
    ...(call.isRepeatable ? ["is_repeatable=True"] : []),
    ...(required.length === 0 ? [] : [`required=(${required.map((name) => `"${name}",`).join(" ")})`]),
    ...(call.timeoutSeconds === undefined ? [] : [`timeout=${call.timeoutSeconds}.0`]),
  ];
  return `${snake(call.id).toUpperCase()}: Operation[${typeOf(call.answer, "answered")}] = Operation(${facts.join(", ")})\n`;
}

function method(call: ClientCall, style: Style): string {
  const row = typeOf(call.answer, "answered");
  const answer = { row, page: `Page[${row}]`, all: `Page[${row}]`, feed: `Feed[${row}]`, file: "File" }[
    call.kind
  ];
  const fields = [...call.query, ...(call.body ?? [])];
  const how = { row: "_call", page: "_page", all: "_page", feed: "_page", file: "_file" }[call.kind];
  return [
    signature(style.def, snake(call.id), call.path, fields, answer),
    documentation(call, fields, style),
    `        answer: ${answer} = ${style.wait}self.${how}(${argumentsOf(call)})\n`,
    "        return answer\n",
  ].join("");
}

/** The rows of every page. The iterator needs no page, because it reads on after the last row. */
function rowsMethod(call: ClientCall, style: Style): string {
  const fields = call.query.filter(({ name }) => !["page", "after"].includes(name));
  const name = snake(call.id).replace(/^list_/, "all_");
  return [
    signature("def", name, [], fields, `${style.iterator}[${typeOf(call.answer, "answered")}]`),
    `        """Every row, newest first, read page by page: \`\`${style.def === "def" ? "" : "async "}for row in …\`\`."""\n`,
    `        return self._rows(${argumentsOf({ ...call, query: fields })})\n`,
  ].join("");
}

/** An order by its reference: the fields of the operation that make an order. */
function onceMethod(call: ClientCall, style: Style): string {
  const fields = (call.body ?? [])
    .filter(({ name }) => !["reusable", "customerRef", "apiKeyId"].includes(name))
    .map((field) => ({ ...field, isRequired: ["amount", "orderRef"].includes(field.name) }))
    .map((field) => (field.isRequired ? { ...field, isNullable: false } : field));
  return [
    signature(style.def, "create_order_once", [], fields, "OnceMade"),
    docstring(
      [
        "The order of this ``order_ref``: found, or made if there is none.",
        "One call after another finds the same order, and so do parallel calls of one client. Two processes in parallel may make two: " +
          "the service has no idempotency key. Keep the order's id under a unique key of your own.",
        ":raises DaricError: ORDER_REF_CONFLICT if that order has another amount or currency. After an error with " +
          "``is_outcome_unknown`` wait 15 s, or ``retry_after`` if that is longer, and call again.",
      ],
      "        ",
    ),
    `        return ${style.wait}self._once(options, ${dictionary(fields)})\n`,
  ].join("");
}

function signature(
  def: string,
  name: string,
  path: readonly string[],
  fields: readonly WireField[],
  answer: string,
): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const lines = [
    "self",
    ...path.map((part) => `${pythonName(part)}: str`),
    "*",
    ...required.map((field) => `${pythonName(field.name)}: ${sentType(field)}`),
    ...optional.map((field) => `${pythonName(field.name)}: ${sentType(field)} = UNSET`),
    "options: Optional[CallOptions] = None",
  ];
  return `    ${def} ${name}(\n${lines.map((line) => `        ${line},\n`).join("")}    ) -> ${answer}:\n`;
}

function argumentsOf(call: ClientCall): string {
  return [
    snake(call.id).toUpperCase(),
    "options",
    ...(call.path.length === 0
      ? []
      : [`path={${call.path.map((part) => `"${part}": ${pythonName(part)}`).join(", ")}}`]),
    ...(call.query.length === 0 ? [] : [`query=${dictionary(call.query)}`]),
    ...(call.body === undefined ? [] : [`body=${dictionary(call.body)}`]),
  ].join(", ");
}

function dictionary(fields: readonly WireField[]): string {
  const entries = fields.map(({ name }) => `            "${name}": ${pythonName(name)},\n`);
  return `{\n${entries.join("")}        }`;
}

function documentation(call: ClientCall, fields: readonly WireField[], style: Style): string {
  const summary = `${call.summary}.`;
  if (!style.isDocumented) return docstring([summary], "        ");
  const described = fields.filter(({ description }) => description !== "");
  const parameters = described.map(({ name, description }) => `:param ${pythonName(name)}: ${description}`);
  return docstring([summary, call.description, ...parameters], "        ");
}

function docstring(paragraphs: readonly string[], indent: string): string {
  const [first = "", ...others] = paragraphs.filter((text) => text !== "");
  if (first === "") return "";
  // A quote before the closing ones would end the docstring too early.
  const lines = (text: string) =>
    wrapped(
      text.replaceAll("\\", "\\\\").replace(/(?<!`)`(?!`)([^`]*)`(?!`)/g, "``$1``"),
      WIDTH - indent.length,
    ).map((line, index) => `${indent}${index > 0 && text.startsWith(":") ? "    " : ""}${line}`);
  const text = lines(first).join("\n").trimStart();
  if (others.length === 0) return `${indent}"""${text}"""\n`;
  const blocks = others.map((other, index) => {
    const isNext = other.startsWith(":param") && others[index - 1]?.startsWith(":param");
    return `${isNext ? "" : "\n"}${lines(other).join("\n")}\n`;
  });
  return `${indent}"""${text}\n${blocks.join("")}${indent}"""\n`;
}

/** The attribute or argument for a name on the wire: `orderRef` is `order_ref`, and `from` is `from_`. */
function pythonName(name: string): string {
  const plain = snake(name);
  return KEYWORDS.includes(plain) ? `${plain}_` : plain;
}

function answeredType({ shape, isRequired, isNullable }: WireField): string {
  const type = typeOf(shape, "answered");
  return isRequired && !isNullable ? type : `Optional[${type}]`;
}

function sentType({ shape, isNullable }: WireField): string {
  const type = typeOf(shape, "sent");
  return isNullable ? `Optional[${type}]` : type;
}

function typeOf(shape: Shape, direction: "sent" | "answered"): string {
  const isSent = direction === "sent";
  switch (shape.kind) {
    case "text":
      return "str";
    case "decimal":
      return isSent ? "Money" : "Decimal";
    case "time":
      return "datetime";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "Any";
    case "enum":
      return `Literal[${shape.values.map(literal).join(", ")}]`;
    case "list":
      return `${isSent ? "Sequence" : "List"}[${typeOf(shape.of, direction)}]`;
    case "map":
      return `${isSent ? "Mapping" : "Dict"}[str, ${typeOf(shape.of, direction)}]`;
    case "record":
      return shape.name;
  }
}

function literal(value: string | boolean): string {
  if (typeof value === "boolean") return pascal(String(value));
  return JSON.stringify(value);
}

function usesName({ answer }: ClientCall, name: string): boolean {
  const uses = (shape: Shape): boolean =>
    (shape.kind === "record" && shape.name === name) || ("of" in shape && uses(shape.of));
  return uses(answer);
}
