import type { FastifyRequest } from "fastify";

/** The `updated_at` of the row that a form of the dashboard shows. */
const SHOWN_HEADER = "x-daric-updated-at";

/**
 * The `updated_at` of the row that a person's form shows, in milliseconds; undefined if the request has none.
 * Requests by key have none.
 */
export function shownAt({ caller, headers }: FastifyRequest): Date | undefined {
  const shown = headers[SHOWN_HEADER];
  if (caller.session === undefined || typeof shown !== "string") return undefined;
  const time = new Date(shown);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
