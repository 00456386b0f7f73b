import { AMOUNT_PATTERN } from "@daric/domain/money";
import type { DocumentedOperation, OpenApiDocument, Parameter, Schema } from "./openapi-document.ts";
import { codesOf, nameOf } from "./openapi-examples.ts";

const OPERATION_ID = /^[a-z]+([A-Z][a-z0-9]*)+$/;
/** Words that only repeat the name. */
const FILLERS = new Set(["the", "a", "an", "of", "this", "that", "its", "is", "for", "your", "in", "to"]);
/** A whole number names its unit or the counted things, an amount its currency, and a time its form. */
const UNITS = {
  number:
    /\b(seconds|milliseconds|number of|counted|height|position|status code|percent|basis points|bytes)\b/i,
  amount: /units of|USD|US dollars/,
  time: /ISO 8601/,
};
const LANGUAGES = 5;

/** The omissions of the document, one sentence each, with the place and the file to edit. */
export function faultsOfDocument(document: OpenApiDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      place: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const events = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => ({
    place: `event ${name}`,
    operation: post,
  }));
  const tags = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name));
  return [
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => faultsOfSchema(schema, name)),
    ...[...operations, ...events].flatMap(({ place, operation }) => [
      ...faultsOfNames(operation, tags).map((fault) => `${place} ${fault}`),
      ...faultsOfShapes(operation, place),
    ]),
    ...operations.flatMap(({ place, operation }) =>
      faultsOfExamples(operation, document).map((fault) => `${place} ${fault}`),
    ),
  ];
}

function faultsOfNames(
  { operationId, summary, description, tags }: DocumentedOperation,
  known: Set<string>,
): string[] {
  return [
    ...(OPERATION_ID.test(operationId ?? "") ? [] : ["has no operationId of a verb and a noun"]),
    ...(summary ? [] : ["has no summary: write it in the schema of its route"]),
    ...(description ? [] : ["has no description: write it in the schema of its route"]),
    ...(description && statesOnly(description, summary ?? "")
      ? ["has a description that repeats its summary"]
      : []),
    ...(tags?.length === 1 && tags.every((tag) => known.has(tag))
      ? []
      : ["is not of exactly one tag that apps/daric/scripts/openapi/contract.ts describes"]),
  ];
}

function faultsOfShapes(
  { parameters = [], requestBody, responses }: DocumentedOperation,
  place: string,
): string[] {
  const bodies = Object.entries(responses).map(([status, { content }]) => ({
    at: `${place} ${status}`,
    schema: content?.["application/json"].schema,
  }));
  const shapes = [
    ...bodies,
    { at: `${place} body`, schema: requestBody?.content["application/json"].schema },
  ];
  return [
    ...parameters.flatMap((parameter) => faultsOfParameter(parameter, place)),
    ...shapes.flatMap(({ at, schema }) => (schema === undefined ? [] : faultsOfSchema(schema, at))),
  ];
}

function faultsOfParameter({ name, description, schema, example }: Parameter, place: string): string[] {
  return [
    ...faultsOfWords(
      { ...schema, ...(description !== undefined && { description }) },
      { name, at: `${place}, parameter ${name},` },
    ),
    ...(example !== undefined
      ? []
      : [
          `${place}, parameter ${name}, has no example: write one in apps/daric/scripts/openapi/wire-examples.ts`,
        ]),
  ];
}

function faultsOfSchema(schema: Schema, at: string): string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...faultsOfWords(property, { name, at: `${at}: ${name}` }),
      ...faultsOfSchema(property, `${at}.${name}`),
    ]),
    ...(schema.items === undefined ? [] : faultsOfSchema(schema.items, `${at}[]`)),
    ...(schema.anyOf ?? []).flatMap((choice) => faultsOfSchema(choice, at)),
  ];
}

function faultsOfWords(schema: Schema, { name, at }: { name: string; at: string }) {
  const { description } = schema;
  if (!description)
    return [
      `${at} has no description: write it in apps/daric/scripts/openapi/wire-meanings.ts, or by .meta in its schema`,
    ];
  const unit = unitOf(schema);
  return [
    ...(statesOnly(description, name)
      ? [`${at} has a description that repeats its name: "${description}"`]
      : []),
    ...(unit?.test(description) === false ? [`${at} says no unit: "${description}"`] : []),
  ];
}

function unitOf({ type, pattern, format }: Schema): RegExp | undefined {
  if ([type].flat().some((name) => name === "integer" || name === "number")) return UNITS.number;
  if (pattern === AMOUNT_PATTERN.source) return UNITS.amount;
  return format === "date-time" ? UNITS.time : undefined;
}

/** Whether the text holds no word but those of the name. */
function statesOnly(text: string, name: string): boolean {
  const words = (from: string) =>
    from
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== "" && !FILLERS.has(word));
  const known = new Set(words(name));
  return words(text).every((word) => known.has(word));
}

function faultsOfExamples(operation: DocumentedOperation, document: OpenApiDocument): string[] {
  const { requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  return [
    ...(body !== undefined && body.example === undefined && body.examples === undefined
      ? ['has a body without an example: give its schema .meta({ "x-examples": … })']
      : []),
    ...(operation["x-codeSamples"]?.length === LANGUAGES ? [] : ["has no samples"]),
    ...Object.entries(responses).flatMap(([status, response]) => {
      // It has no body.
      if (status === "304") return [];
      const schema = response.content?.["application/json"].schema;
      if (schema === undefined) return [`answers ${status} without saying with what`];
      if (!status.startsWith("2"))
        return codesOf(response, status).length > 0
          ? []
          : [`answers ${status} with no code that has that status`];
      return missingExamples(schema, document.components.schemas).map(
        (name) =>
          `answers with ${name}, which has no example: write one in apps/daric/scripts/openapi/wire-examples.ts`,
      );
    }),
  ];
}

/** The required properties without an example. */
function missingExamples(schema: Schema, schemas: Readonly<Record<string, Schema>>): string[] {
  if (schema.$ref !== undefined) return missingExamples(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  if (schema.items !== undefined && schema.examples === undefined)
    return missingExamples(schema.items, schemas);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .flatMap(([name, property]) => (isExampled(property) ? missingExamples(property, schemas) : [name]));
}

function isExampled(schema: Schema): boolean {
  const { examples, const: only, enum: values, type, properties, items, $ref } = schema;
  return (
    [examples, only, values, properties, items, $ref].some((stated) => stated !== undefined) ||
    type === "boolean"
  );
}
