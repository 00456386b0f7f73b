import { z } from "zod";

/** The names that an object may have, and of those that are objects with names of their own, theirs. */
export type Fields = ReadonlyMap<string, Fields | undefined>;

/** The names of an object's schema; undefined where it takes any, or is of no object. */
export function fieldsOf(schema: unknown): Fields | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return undefined;
  return new Map(Object.entries(schema.shape).map(([name, field]) => [name, fieldsOf(field)]));
}
