type Json = { readonly [key: string]: unknown };

/** Component names that would hide names of JavaScript. */
const RENAMED: Readonly<Record<string, string>> = { Error: "ErrorBody" };

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** The direction of a schema: sent properties may also be `undefined`, like missing ones. */
type Direction = "sent" | "answered";

/** The document's file, the prefix of its paths, and the names of the types of operations and of downloads. */
type Written = {
  readonly from: string;
  readonly below: string;
  readonly name: string;
  /** left out if no client of this document downloads */
  readonly downloads?: string;
};

/**
 * TypeScript of an OpenAPI 3.1 document: a type for each component schema, and `WebhookBodies` by event. `Operations` has input
 * and output by "METHOD /path", and `Downloads` the input of those that answer a file. The paths are those below that of the
 * contract. The answer of an operation has the envelope; the schema of a file is empty.
 *
 * @throws Error for an unsupported schema, with its place, so that no type silently becomes `unknown`.
 */
export function contractSource(
  document: Json,
  { from, below, name, downloads }: Written = {
    from: "clients/typescript/openapi.json",
    below: "/v1/",
    name: "Operations",
    downloads: "Downloads",
  },
): string {
  const schemas = Object.entries((at(document, "components", "schemas") ?? {}) as Json);
  const types = schemas.map(
    ([name, schema]) =>
      `${comment(schema, "")}export type ${nameOf(name)} = ${typeOf(schema, { place: name, direction: "answered" })};\n`,
  );
  const operations = Object.entries(document.paths as Json)
    .filter(([path]) => path.startsWith(below))
    .flatMap(([path, item]) =>
      METHODS.filter((method) => method in (item as Json)).map((method) => ({
        name: `${method.toUpperCase()} ${path}`,
        node: (item as Json)[method] as Json,
      })),
    );
  return `// Written from ${from} by \`npm run generate\`.

${types.join("\n")}
/** The input and output of each operation of the contract, by its method and path. */
export type ${name} = {
${operations.flatMap(({ name, node }) => operationIn(name, node)).join("")}};
${downloads === undefined ? "" : downloadsIn(operations, downloads)}${webhooksIn(document)}`;
}

function webhooksIn({ webhooks }: Json): string {
  if (webhooks === undefined) return "";
  const bodies = Object.entries(webhooks as Json).map(([name, item]) => {
    const post = (item as Json).post as Json;
    const schema = at(post, "requestBody", "content", "application/json", "schema");
    const type = typeOf(schema, { place: name, direction: "answered" });
    return `${comment({ description: post.summary }, "  ")}  ${JSON.stringify(name)}: ${indented(type)};\n`;
  });
  return `
/** The body of each webhook, by the name of its event. */
export type WebhookBodies = {
${bodies.join("")}};

/** The names of the events. */
export const webhookEventNames = ${JSON.stringify(Object.keys(webhooks as Json))} as const satisfies readonly (keyof WebhookBodies)[];
`;
}

type Named = { readonly name: string; readonly node: Json };

function downloadsIn(operations: readonly Named[], type: string): string {
  const files = operations.filter(({ node }) => isFile(schemaOf(node)));
  const entries = files.map(({ name, node }) => {
    const { path, query } = inputOf(name, node);
    return `${title(node)}  ${JSON.stringify(name)}: {\n    path: ${path};\n    query: ${query};\n  };\n`;
  });
  return `
/** The input of each operation of the contract that answers a file, by its method and path. */
export type ${type} = {
${entries.join("")}};
`;
}

function operationIn(name: string, operation: Json): string[] {
  const answer = answerOf(operation, name);
  if (answer === undefined) return [];
  const body = at(operation, "requestBody", "content", "application/json", "schema");
  const { path, query, sent } = inputOf(name, operation);
  return [
    title(operation),
    `  ${JSON.stringify(name)}: {
    path: ${path};
    query: ${query};
    body: ${body === undefined ? "undefined" : indented(typeOf(body, sent))};
    answer: ${indented(typeOf(answer, { place: name, direction: "answered" }))};
  };\n`,
  ];
}

function inputOf(name: string, operation: Json) {
  const parameters = (operation.parameters ?? []) as readonly Json[];
  const sent = { place: name, direction: "sent" as const };
  return {
    path: parametersType(parameters, "path", sent),
    query: parametersType(parameters, "query", sent),
    sent,
  };
}

function title({ summary, description }: Json): string {
  return comment({ description: [summary, description].filter(Boolean).join(". ") }, "  ");
}

function schemaOf(operation: Json): Json | undefined {
  const responses = Object.entries((operation.responses ?? {}) as Json);
  const [, success] = responses.find(([status]) => /^2\d\d$/.test(status)) ?? [];
  return at(success as Json, "content", "application/json", "schema") as Json | undefined;
}

/** A download has no envelope. */
function isFile(schema: Json | undefined): boolean {
  return schema !== undefined && Object.keys(schema).length === 0;
}

/** The schema of `data` in the successful answer. */
function answerOf(operation: Json, name: string): unknown {
  const schema = schemaOf(operation);
  if (schema === undefined || isFile(schema)) return undefined;
  const data = at(schema, "properties", "data");
  if (data === undefined) throw new Error(`${name}: the answer has no data`);
  return data;
}

function parametersType(parameters: readonly Json[], place: string, sent: Context): string {
  const fields = parameters.filter((parameter) => parameter.in === place);
  if (fields.length === 0) return "undefined";
  const lines = fields.map((field) => {
    const type = typeOf(field.schema, { ...sent, place: `${sent.place} ${String(field.name)}` });
    return property(
      { name: String(field.name), schema: field, type, isRequired: field.required === true },
      sent,
    );
  });
  return indented(`{\n${lines.join("")}}`);
}

type Context = { readonly place: string; readonly direction: Direction };

function typeOf(schema: unknown, context: Context): string {
  if (schema === true) return "unknown";
  const node = schema as Json;
  if (typeof node.$ref === "string") return nameOf(node.$ref.split("/").at(-1) ?? "");
  if ("const" in node) return JSON.stringify(node.const);
  if (Array.isArray(node.enum)) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices)) return union(choices.map((choice) => typeOf(choice, context)));
  if (Array.isArray(node.allOf)) return node.allOf.map((part) => wrapped(typeOf(part, context))).join(" & ");
  if (Array.isArray(node.type)) return union(node.type.map((type) => typeOf({ ...node, type }, context)));
  switch (node.type) {
    case "string":
    case "boolean":
    case "null":
      return node.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `${wrapped(typeOf(node.items, { ...context, place: `${context.place}[]` }))}[]`;
    case "object":
      return objectType(node, context);
    default:
      throw new Error(`${context.place}: cannot tell the type of ${JSON.stringify(schema)}`);
  }
}

function objectType(node: Json, context: Context): string {
  const required = new Set((node.required ?? []) as readonly string[]);
  const properties = Object.entries((node.properties ?? {}) as Json);
  if (properties.length === 0) {
    const values = node.additionalProperties;
    const isDescribed = typeof values === "object" && values !== null && Object.keys(values).length > 0;
    return `Record<string, ${isDescribed ? typeOf(values, context) : "unknown"}>`;
  }
  const lines = properties.map(([name, schema]) => {
    const type = typeOf(schema, { ...context, place: `${context.place}.${name}` });
    return property({ name, schema, type, isRequired: required.has(name) }, context);
  });
  return `{\n${lines.join("")}}`;
}

type Property = { name: string; schema: unknown; type: string; isRequired: boolean };

function property({ name, schema, type, isRequired }: Property, { direction }: Context): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const optional = isRequired ? "" : "?";
  const absent = isRequired || direction === "answered" ? "" : " | undefined";
  return `${comment(schema, "  ")}  ${key}${optional}: ${indented(type)}${absent};\n`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function wrapped(type: string): string {
  return /^\w+$|^\{[^}]*\}$/.test(type) ? type : `(${type})`;
}

function indented(type: string): string {
  return type.replaceAll("\n", "\n  ");
}

function comment(schema: unknown, indent: string): string {
  const { description } = schema as Json;
  if (typeof description !== "string" || description === "") return "";
  const lines = description.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function nameOf(component: string): string {
  return RENAMED[component] ?? component;
}

function at(document: Json | undefined, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
}
