type Json = { readonly [key: string]: unknown };

/** Component names that would hide names of JavaScript. */
const RENAMED: Readonly<Record<string, string>> = { Error: "ErrorBody" };

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** The direction of a schema: sent properties may also be `undefined`, like missing ones. */
type Direction = "sent" | "answered";

/** The document's file, the prefix of its paths, and the name of the type of operations. */
type Written = { readonly from: string; readonly below: string; readonly name: string };

/**
 * TypeScript of an OpenAPI 3.1 document: a type for each component schema, `Operations` with input and output
 * by "METHOD /path", and `WebhookBodies` by event. An operation is a path below that of the contract whose answer has the
 * envelope.
 *
 * @throws Error for an unsupported schema, with its place, so that no type silently becomes `unknown`.
 */
export function contractSource(
  document: Json,
  { from, below, name }: Written = {
    from: "clients/typescript/openapi.json",
    below: "/v1/",
    name: "Operations",
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
      METHODS.flatMap((method) => operationIn(`${method.toUpperCase()} ${path}`, (item as Json)[method])),
    );
  return `// Written from ${from} by \`npm run generate\`.

${types.join("\n")}
/** The input and output of each operation of the contract, by its method and path. */
export type ${name} = {
${operations.join("")}};
${webhooksIn(document)}`;
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

function operationIn(name: string, operation: unknown): string[] {
  if (operation === undefined) return [];
  const answer = answerOf(operation as Json, name);
  if (answer === undefined) return [];
  const parameters = ((operation as Json).parameters ?? []) as readonly Json[];
  const body = at(operation as Json, "requestBody", "content", "application/json", "schema");
  const sent = { place: name, direction: "sent" as const };
  const { summary, description } = operation as Json;
  return [
    comment({ description: [summary, description].filter(Boolean).join(". ") }, "  "),
    `  ${JSON.stringify(name)}: {
    path: ${parametersType(parameters, "path", sent)};
    query: ${parametersType(parameters, "query", sent)};
    body: ${body === undefined ? "undefined" : indented(typeOf(body, sent))};
    answer: ${indented(typeOf(answer, { place: name, direction: "answered" }))};
  };\n`,
  ];
}

/** The schema of `data` in the successful answer. */
function answerOf(operation: Json, name: string): unknown {
  const responses = Object.entries((operation.responses ?? {}) as Json);
  const [, success] = responses.find(([status]) => /^2\d\d$/.test(status)) ?? [];
  const schema = at(success as Json, "content", "application/json", "schema") as Json | undefined;
  // A download has no envelope.
  if (schema === undefined || Object.keys(schema).length === 0) return undefined;
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
