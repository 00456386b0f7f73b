import type { FastifyRequest } from "fastify";

/** The `updated_at` of the row that a form of the dashboard shows. */
const SHOWN_HEADER = "x-daric-updated-at";

/**
 * When the row was changed last that the form of a person shows, in milliseconds; undefined where a request shows none. Requests by key
 * show none.
 */
export function shownAt({ caller, headers }: FastifyRequest): Date | undefined {
  const shown = headers[SHOWN_HEADER];
  if (caller.session === undefined || typeof shown !== "string") return undefined;
  const time = new Date(shown);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
