import type { ErrorDetail } from "@daric/domain/errors";
import { nearestName } from "@daric/domain/nearest-name";
import { z } from "zod";

/** The most unknown names in an answer: a query has room for thousands. */
const MAX_SHOWN = 10;
/** The path of a parameter without a name. */
const NAMELESS = "(query)";

/** Whether a method only reads, so that its query is its only input. */
export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** A query under the names of its route. */
export type ReadQuery = {
  readonly known: Record<string, unknown>;
  /** unknown names, and parameters in both spellings */
  readonly faults: readonly ErrorDetail[];
  /** the same fault under the caller's spelling */
  asSent(fault: ErrorDetail): ErrorDetail;
};

/**
 * Reads queries of a route that refuses unknown names: an ignored filter would show other rows. Answers use
 * snake_case, so that spelling of a parameter is accepted too.
 */
export function createQueryReader(schema: unknown): (query: object) => ReadQuery {
  const names = [...(fieldsOf(schema)?.keys() ?? [])];
  const spellings = new Map(names.flatMap((name) => [name, snakeCase(name)].map((text) => [text, name])));
  return (query) => {
    const sent = new Map<string, string>();
    const faults: ErrorDetail[] = [];
    const unknown: string[] = [];
    const known: Record<string, unknown> = {};
    for (const [text, value] of Object.entries(query)) {
      const name = spellings.get(text);
      const before = name === undefined ? undefined : sent.get(name);
      if (name === undefined) unknown.push(text);
      else if (before !== undefined)
        faults.push({ path: text, message: `must be given once: ${before} is the same` });
      else {
        sent.set(name, text);
        known[name] = value;
      }
    }
    faults.push(...unknown.slice(0, MAX_SHOWN).map((text) => unknownName(text, names)));
    return { known, faults, asSent: ({ path, message }) => ({ path: sent.get(path) ?? path, message }) };
  };
}

/** `order_ref` of `orderRef`. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function unknownName(text: string, names: readonly string[]): ErrorDetail {
  const nearest = nearestName(text, names);
  const known = names.length === 0 ? "there are none here" : `there are ${names.join(", ")}`;
  const hint = nearest === undefined ? known : `did you mean ${nearest}?`;
  return { path: text === "" ? NAMELESS : text, message: `is not a parameter: ${hint}` };
}

/** The names of an object, with those of its nested objects. */
export type Fields = ReadonlyMap<string, Fields | undefined>;

/** The names of an object schema; undefined if it accepts any, or is no object. */
export function fieldsOf(schema: unknown): Fields | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return undefined;
  return new Map(Object.entries(schema.shape).map(([name, field]) => [name, fieldsOf(field)]));
}
