import { z } from "zod";

/** An object of names that its caller chooses, at most so many: they are counted before any of them is judged. */
export function countedFirst<Schema extends z.ZodRecord>(maximum: number, schema: Schema) {
  return z.preprocess((value, { addIssue }) => {
    if (typeof value !== "object" || value === null || Object.keys(value).length <= maximum) return value;
    addIssue({ code: "custom", message: `must have at most ${maximum} keys` });
    return z.NEVER;
  }, schema);
}
