import type { Environment } from "@daric/domain/api-scope";
import { nearestName } from "@daric/domain/nearest-name";
import { z } from "zod";
import type { ApiApp } from "./api-app.ts";
import { warnings } from "./envelope.ts";
import { type Fields, fieldsOf, isRead } from "./query-names.ts";

const HEADER = "x-ignored-fields";
const MAX_NAMES = 10;
const MAX_BYTES = 500;
const SEPARATOR = ", ";

const NONE: Fields = new Map();

/** The ignored fields of a request; only the warnings read it. */
const ignoredFieldsKey: unique symbol = Symbol("ignored fields of the body");

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    [ignoredFieldsKey]?: readonly string[];
  }
}

/**
 * Names in a header of every answer the fields that its route does not know. A misspelt optional field is not
 * refused, and would be lost silently. Unknown query parameters are named too, if the route does not refuse them.
 */
export function warnOfUnknownFields(app: ApiApp): void {
  const fieldsOfSchemas = new WeakMap<object, Fields | undefined>();
  app.decorateRequest(ignoredFieldsKey, undefined);
  app.addHook("preValidation", (request, reply, done) => {
    const { body, query, routeOptions } = request;
    const { schema, config } = routeOptions;
    const inBody = ignoredOf(body, schema?.body, fieldsOfSchemas);
    const isRefused = config.scope !== undefined && isRead(request.method);
    const inQuery = isRefused ? [] : ignoredOf(query, schema?.querystring, fieldsOfSchemas);
    const text = headerOf([...inBody, ...inQuery]);
    if (text !== undefined) reply.header(HEADER, text);
    if (inBody.length > 0) request[ignoredFieldsKey] = inBody;
    done();
  });
}

/**
 * With test keys, repeats the ignored fields of a body in `warnings` of the answer: few clients look at
 * headers. The schema of every answer has them, so that one document serves both environments.
 */
export function sendUnknownFieldWarnings(scope: ApiApp, environment: Environment): void {
  scope.addHook("onRoute", ({ method, schema }) => {
    const answers = (schema?.response ?? {}) as Record<string, unknown>;
    if ([method].flat().every(isRead)) return;
    for (const [status, answer] of Object.entries(answers))
      if (answer instanceof z.ZodObject) answers[status] = answer.extend({ warnings });
  });
  if (environment !== "test") return;
  // biome-ignore lint/complexity/useMaxParams: a hook that makes no promise is called with four
  scope.addHook("preSerialization", (request, _reply, payload, done) => {
    const names = request[ignoredFieldsKey];
    if (names === undefined || !isSuccess(payload)) return done(null, payload);
    const sentences = bounded(names).map(warningOf);
    const all = [...(payload.warnings ?? []), ...sentences].slice(0, MAX_NAMES);
    return done(null, sentences.length === 0 ? payload : { ...payload, warnings: all });
  });
}

function isSuccess(
  payload: unknown,
): payload is { readonly success: true; readonly warnings?: readonly string[] } {
  return typeof payload === "object" && payload !== null && "success" in payload && payload.success === true;
}

function warningOf(text: string): string {
  const [name, nearest] = text.split("->");
  const hint = nearest === undefined ? "no such field is known" : `did you mean ${nearest}?`;
  return `${name} was ignored: ${hint}`;
}

function ignoredOf(
  value: unknown,
  schema: unknown,
  known: WeakMap<object, Fields | undefined>,
): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = schema instanceof z.ZodType ? knownFields(schema, known) : NONE;
  return fields === undefined ? [] : ignoredNames(value, fields);
}

function knownFields(schema: z.ZodType, known: WeakMap<object, Fields | undefined>): Fields | undefined {
  if (!known.has(schema)) known.set(schema, fieldsOf(schema));
  return known.get(schema);
}

/**
 * The header's value: `order_ref->orderRef, foo`, each with the nearest known name, if one is near. At most
 * 10 names and 500 bytes; the rest is left out. Undefined if nothing is ignored.
 */
export function unknownFields(body: object, fields: Fields): string | undefined {
  return headerOf(ignoredNames(body, fields));
}

function ignoredNames(value: object, fields: Fields): readonly string[] {
  const names: string[] = [];
  collect({ body: value, fields, path: "" }, names);
  return names;
}

function headerOf(names: readonly string[]): string | undefined {
  return bounded(names).join(SEPARATOR) || undefined;
}

/** The names that fit into the header. */
function bounded(names: readonly string[]): string[] {
  const fitting: string[] = [];
  let length = -SEPARATOR.length;
  for (const name of names.slice(0, MAX_NAMES)) {
    const longer = length + SEPARATOR.length + name.length;
    if (name === "" || longer > MAX_BYTES) continue;
    fitting.push(name);
    length = longer;
  }
  return fitting;
}

type Level = { readonly body: object; readonly fields: Fields; readonly path: string };

function collect({ body, fields, path }: Level, names: string[]): void {
  // A list in place of an object is refused, and its positions are no names.
  if (Array.isArray(body)) return;
  for (const name of Object.keys(body)) {
    if (names.length === MAX_NAMES) return;
    if (!fields.has(name)) names.push(ignored(name, fields, path));
    else
      collectWithin(body[name as keyof typeof body], { fields: fields.get(name), path: path + name }, names);
  }
}

function collectWithin(
  value: unknown,
  { fields, path }: { fields: Fields | undefined; path: string },
  names: string[],
): void {
  if (fields === undefined || typeof value !== "object" || value === null) return;
  collect({ body: value, fields, path: `${path}.` }, names);
}

/** A cut name is still too long for the header. */
function ignored(name: string, fields: Fields, path: string): string {
  const nearest = nearestName(name, [...fields.keys()]);
  const text = encoded((path + name).slice(0, MAX_BYTES + 1));
  return nearest === undefined ? text : `${text}->${encoded(path + nearest)}`;
}

/** Only letters, digits, `_`, `.` and `-` reach the header; other UTF-8 bytes are percent-encoded. */
function encoded(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
