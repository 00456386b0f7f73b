import type { RouteOptions } from "fastify";
import { z } from "zod";
import type { ApiApp } from "./api-app.ts";
import { errorEnvelope } from "./envelope.ts";

/** What any route can answer with beside its own refusals, by status. Examples are made of the codes that are named. */
const REFUSALS = {
  400: "INVALID_JSON",
  401: "UNAUTHORIZED, or WRONG_ENVIRONMENT for a key of the other environment.",
  403: "INSUFFICIENT_SCOPE",
  404: "NOT_FOUND: there is no such row, or it is another merchant's.",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "VALIDATION_ERROR with every failing field in `details`, or a rule of this operation.",
  429: "RATE_LIMITED: `Retry-After` says for how many seconds.",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE: retry after the seconds in `Retry-After`.",
} as const;

export const SECURITY_SCHEME = "ApiKey";

/**
 * Completes what every route says of itself: a query schema where there is none (so that repeated parameters are
 * refused there too), the refusals that any such route can answer with, and the key it needs.
 */
export function completeRouteSchemas(app: ApiApp): void {
  app.addHook("onRoute", (route) => {
    const schema = route.schema ?? {};
    const scope = route.config?.scope;
    const description = [schema.description, scope && `The key needs the scope \`${scope}\`.`];
    route.schema = {
      querystring: z.object({}),
      security: scope === undefined ? [] : [{ [SECURITY_SCHEME]: [] }],
      ...schema,
      ...(schema.description !== undefined && { description: description.filter(Boolean).join(" ") }),
      response: { ...refusalsOf(route), ...(schema.response as Record<string, unknown> | undefined) },
    };
  });
}

/**
 * Every route that is described says what clients call it.
 *
 * @throws Error, which stops the start, where one has no operationId.
 */
export function requireOperationIds(app: ApiApp): void {
  app.addHook("onRoute", ({ schema, method, url }) => {
    if (schema?.hide === true || schema?.operationId !== undefined) return;
    throw new Error(
      `${method} ${url} does not say its operationId: a verb and a noun, like createDepositAddress`,
    );
  });
}

/** A body that was sent is read and judged also where the operation takes none, except with GET. */
function refusalsOf({ config, url, method }: RouteOptions): Record<string, unknown> {
  const statuses: (keyof typeof REFUSALS)[] = [422, 429, 500, 503];
  if (config?.scope !== undefined) statuses.push(401, 403);
  if (url.includes("/:")) statuses.push(404);
  if (![method].flat().includes("GET")) statuses.push(400, 413, 415);
  return Object.fromEntries(statuses.map((status) => [status, refusal(REFUSALS[status])]));
}

/** What an operation answers with one status when it refuses for reasons of its own; the description names the codes. */
export function refusal(description: string) {
  return { description, content: { "application/json": { schema: errorEnvelope } } };
}
