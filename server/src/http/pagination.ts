import { z } from "zod";

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
type PageQuery = z.output<typeof pageQuery>;

/** Rows before the page. Beyond 2^53 it is inexact, but no table is that long. */
export function offsetOf({ page, limit }: PageQuery): number {
  return (page - 1) * limit;
}
