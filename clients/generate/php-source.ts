import type { ClientCall, ClientContract, Shape, WireField, WireRecord } from "./contract-model.ts";
import { onePerOperation, wrapped } from "./contract-model.ts";

const WIDTH = 110;
const WRITTEN = "// Written from clients/typescript/openapi.json by `npm run generate`.";

/** `src/Operations.php`: a method for each operation, with the shapes of its arrays for readers and checkers. */
export function phpOperations({ records, calls }: ClientContract): string {
  const types = records.map((record) => ` * @phpstan-type ${record.name} ${shapeOfRecord(record.fields)}\n`);
  return `<?php

${WRITTEN}

declare(strict_types=1);

namespace Daric;

/**
 * Every operation of the contract. Bodies, queries and answers are arrays as on the wire: requests in camelCase, answers in
 * snake_case, money as decimal strings, times as ISO 8601 with an offset.
 *
 * Every method takes options at its end: \`timeoutSeconds\` of each try, and \`correlationId\`. It fails with a DaricException,
 * and with an InvalidArgumentException before anything is sent, for a float or an id that would name another resource.
 *
${types.join("")} */
trait Operations
{
${calls.flatMap((call) => [method(call), ...(call.kind === "all" ? [rowsMethod(call)] : [])]).join("\n")}}
`;
}

/** \`src/Contract.php\`: the facts of each operation, by its method and path. */
export function phpContract({ calls, events }: ClientContract): string {
  const facts = onePerOperation(calls).map(({ operation, isKeyless, isRepeatable, timeoutSeconds, body }) => {
    const required = (body ?? []).filter((field) => field.isRequired).map(({ name }) => `'${name}'`);
    return `        '${operation}' => ['isKeyless' => ${isKeyless}, 'isRepeatable' => ${isRepeatable}, 'timeoutSeconds' => ${timeoutSeconds ?? "null"}, 'required' => [${required.join(", ")}]],\n`;
  });
  return `<?php

${WRITTEN}

declare(strict_types=1);

namespace Daric;

/** The facts of the contract that the client decides by. */
final class Contract
{
    /** @var array<string, array{isKeyless: bool, isRepeatable: bool, timeoutSeconds: int|null, required: list<string>}> */
    public const OPERATIONS = [
${facts.join("")}    ];

    /** The names of the events. */
    public const EVENTS = [
${events.map(({ name }) => `        '${name}',\n`).join("")}    ];
}
`;
}

function method(call: ClientCall): string {
  const row = typeOf(call.answer);
  const answer = {
    row,
    page: `array{data: list<${row}>, meta: array{page: int, limit: int, total: int}}`,
    all: `array{data: list<${row}>, meta: array{page: int, limit: int, total: int}}`,
    feed: `array{data: list<${row}>, meta: array{limit: int, next: string|null, has_more: bool}}`,
    file: "array{content: string, type: string, name: string|null}",
  }[call.kind];
  const how = { row: "call", page: "page", all: "page", feed: "page", file: "file" }[call.kind];
  const path = call.path.map((name) => `string $${name}`);
  const fields = given(call);
  const body = fields === undefined ? [] : [`array $${fields.name}${fields.isRequired ? "" : " = []"}`];
  const parts = [
    ...(call.path.length === 0
      ? []
      : [`'path' => [${call.path.map((name) => `'${name}' => $${name}`).join(", ")}]`]),
    ...(fields === undefined ? [] : [`'${fields.name}' => $${fields.name}`]),
  ];
  const lines = [
    `${call.summary}.`,
    call.description,
    ...(fields === undefined
      ? []
      : fields.list.map(({ name, description }) => `- \`${name}\`: ${description}`)),
    ...(fields === undefined ? [] : [`@param ${shapeOfRecord(fields.list)} $${fields.name}`]),
    "@param array{timeoutSeconds?: float, correlationId?: string} $options",
    `@return ${answer}`,
    "@throws DaricException",
  ];
  return `${comment(lines)}    public function ${call.id}(${[...path, ...body, "array $options = []"].join(", ")}): array
    {
        return $this->${how}('${call.operation}', [${parts.join(", ")}], $options);
    }
`;
}

function rowsMethod(call: ClientCall): string {
  const fields = call.query.filter(({ name }) => !["page", "after"].includes(name));
  const lines = [
    "Every row, newest first, read page by page on demand.",
    `@param ${shapeOfRecord(fields)} $query`,
    "@param array{timeoutSeconds?: float, correlationId?: string} $options",
    `@return \\Generator<int, ${typeOf(call.answer)}>`,
    "@throws DaricException",
  ];
  return `${comment(lines)}    public function ${call.id.replace(/^list/, "all")}(array $query = [], array $options = []): \\Generator
    {
        return $this->rows('${call.operation}', $query, $options);
    }
`;
}

function given(call: ClientCall) {
  if (call.query.length > 0)
    return { name: "query", list: call.query, isRequired: call.query.some((field) => field.isRequired) };
  if (call.body === undefined) return undefined;
  return { name: "body", list: call.body, isRequired: call.body.some((field) => field.isRequired) };
}

function comment(paragraphs: readonly string[]): string {
  const lines = paragraphs
    .filter((text) => text !== "")
    .flatMap((text, index, all) => {
      const isListed = /^(?:- |@)/.test(text);
      const gap = index > 0 && !(isListed && all[index - 1]?.[0] === text[0]) ? [""] : [];
      const safe = text.replaceAll("*/", "* /");
      return [
        ...gap,
        ...(text.startsWith("@")
          ? [safe]
          : wrapped(safe, WIDTH).map((line, n) => (n > 0 && text.startsWith("- ") ? `  ${line}` : line))),
      ];
    });
  return `    /**\n${lines.map((line) => `     * ${line}`.trimEnd()).join("\n")}\n     */\n`;
}

function shapeOfRecord(fields: readonly WireField[] | WireRecord["fields"]): string {
  return `array{${fields.map(property).join(", ")}}`;
}

function property({ name, shape, isRequired, isNullable }: WireField): string {
  return `${name}${isRequired ? "" : "?"}: ${typeOf(shape)}${isNullable ? "|null" : ""}`;
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
    case "time":
      return "string";
    case "decimal":
      return "numeric-string";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "mixed";
    case "enum":
      return shape.values
        .map((value) => (typeof value === "string" ? `'${value}'` : String(value)))
        .join("|");
    case "list":
      return `list<${typeOf(shape.of)}>`;
    case "map":
      return `array<string, ${typeOf(shape.of)}>`;
    case "record":
      return shape.name;
  }
}
