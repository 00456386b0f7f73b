import { z } from "zod";
import { nearestName } from "../domain/nearest-name.ts";
import type { ApiApp } from "./api-app.ts";

const HEADER = "x-ignored-fields";
const MAX_NAMES = 10;
const MAX_BYTES = 500;

/** The names that an object of a body may have, and of those that are objects with names of their own, theirs. */
export type Fields = ReadonlyMap<string, Fields | undefined>;

const NONE: Fields = new Map();

/**
 * Names in a header of every answer what a body or a query says that its route does not know: a misspelt field that may be
 * left out is not refused, and would be missed without a word.
 */
export function tellIgnoredFields(app: ApiApp): void {
  const fieldsOfSchemas = new WeakMap<object, Fields | undefined>();
  app.addHook("preValidation", ({ body, query, routeOptions }, reply, done) => {
    const { schema } = routeOptions;
    const ignored = [
      ...ignoredOf(body, schema?.body, fieldsOfSchemas),
      ...ignoredOf(query, schema?.querystring, fieldsOfSchemas),
    ];
    const told = headerOf(ignored);
    if (told !== undefined) reply.header(HEADER, told);
    done();
  });
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

/** The names of an object's schema; undefined where it takes any, or is of no object. */
export function fieldsOf(schema: unknown): Fields | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return undefined;
  return new Map(Object.entries(schema.shape).map(([name, field]) => [name, fieldsOf(field)]));
}

/**
 * The header's value: `order_ref->orderRef, foo`, each with the nearest name that is known beside it, where one is near.
 * At most 10 names and 500 bytes; what does not fit is left out. Undefined where nothing is ignored.
 */
export function ignoredFields(body: object, fields: Fields): string | undefined {
  return headerOf(ignoredNames(body, fields));
}

function ignoredNames(value: object, fields: Fields): readonly string[] {
  const names: string[] = [];
  collect({ body: value, fields, path: "" }, names);
  return names;
}

function headerOf(names: readonly string[]): string | undefined {
  let value = "";
  for (const name of names.slice(0, MAX_NAMES)) {
    const longer = value === "" ? name : `${value}, ${name}`;
    if (longer.length <= MAX_BYTES) value = longer;
  }
  return value === "" ? undefined : value;
}

type Level = { readonly body: object; readonly fields: Fields; readonly path: string };

function collect({ body, fields, path }: Level, names: string[]): void {
  // A list stands where an object is wanted: that is refused, and its places are no names.
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

function ignored(name: string, fields: Fields, path: string): string {
  const nearest = nearestName(name, [...fields.keys()]);
  const told = encoded(path + name);
  return nearest === undefined ? told : `${told}->${encoded(path + nearest)}`;
}

/** Nothing but letters, digits, `_`, `.` and `-` reaches the header; other bytes of the UTF-8 are percent-encoded. */
function encoded(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
