import { z } from "zod";
import { uuid } from "./validate.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A whole number in the text of a query. */
function digits(bounds: { minimum: number; maximum: number; preset: number; description: string }) {
  const { minimum, maximum, preset, description } = bounds;
  return z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`))
    .prefault(String(preset))
    .meta({ type: "integer", minimum, maximum, default: preset, description });
}

const pageNumber = digits({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  preset: 1,
  description: "Number of the page, counted from 1.",
});
const pageLimit = digits({
  minimum: 1,
  maximum: MAX_LIMIT,
  preset: DEFAULT_LIMIT,
  description: "Number of rows on a page.",
});

/** The query of every list (service contract, "Limits"); a list's filters extend it. */
export const pageQuery = z.object({ page: pageNumber, limit: pageLimit });

/** The query of a list of the merchant's rows of a kind. `after` is an addition to the contract. */
export function listQueryOf<Kind extends string>(kind: Kind) {
  return pageQuery.extend({
    after: uuid(kind)
      .optional()
      .meta({
        description:
          "The id of a row: the list begins with the row after it, and `page` counts from there. " +
          "Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated.",
      }),
  });
}

type PageQuery<Id extends string> = {
  readonly page: number;
  readonly limit: number;
  readonly after?: Id | undefined;
};

/** The rows of a page. Beyond 2^53 the offset is inexact, but no table is that long. */
export function pageFrom<Id extends string = never>({ page, limit, after }: PageQuery<Id>) {
  return { limit, offset: (page - 1) * limit, after };
}
