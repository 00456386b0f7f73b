import { apiScopes } from "@daric/domain/api-scope";
import type { RouteOptions } from "fastify";
import { z } from "zod";
import type { ApiApp } from "./api-app.ts";
import { errorEnvelope, personErrorEnvelope } from "./envelope.ts";

/** The refusals that any route can return, by status. The examples use the codes named here. */
const REFUSALS = {
  400: "INVALID_JSON",
  401: "UNAUTHORIZED, or WRONG_ENVIRONMENT for a key of the other environment.",
  403: "INSUFFICIENT_SCOPE",
  404: "NOT_FOUND: the row does not exist or belongs to another merchant.",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "VALIDATION_ERROR with every failing field in `details`, or a rule of this operation.",
  429: "RATE_LIMITED: `Retry-After` says for how many seconds.",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE: retry after the seconds in `Retry-After`.",
} as const;

/** The same for people, who have a session and act for one of their merchants. */
const PERSON_REFUSALS = {
  ...REFUSALS,
  401: "SESSION_ENDED",
  403: "CSRF_REFUSED, INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED or SECOND_FACTOR_REQUIRED.",
  404: "NOT_FOUND: the row does not exist or belongs to another merchant, or the person is no member of the merchant.",
} as const;

export const SECURITY_SCHEME = "ApiKey";
export const SESSION_SCHEME = "Session";
/** The routes of people. They are no part of the contract with merchants' programs. */
const DASHBOARD = "/dashboard/";

export function isOfDashboard(url: string): boolean {
  return url.startsWith(DASHBOARD);
}

/**
 * Completes the schema of every route: an empty query schema (which refuses repeated parameters), the common
 * refusals, and the API key.
 */
export function completeRouteSchemas(app: ApiApp): void {
  app.addHook("onRoute", (route) => {
    const schema = route.schema ?? {};
    const scope = route.config?.scope;
    const isOfPerson = isOfDashboard(route.url);
    const isOfKeys = apiScopes.some((name) => name === scope);
    const need = route.config?.isForAnyKey
      ? "Any key may call it."
      : isOfPerson || !isOfKeys
        ? `The role needs the right \`${scope}\`.`
        : `The key needs the scope \`${scope}\`.`;
    const description = [schema.description, scope && need];
    route.schema = {
      querystring: z.object({}),
      security: needsCaller(route) ? [{ [isOfPerson ? SESSION_SCHEME : SECURITY_SCHEME]: [] }] : [],
      ...schema,
      ...(schema.description !== undefined && { description: description.filter(Boolean).join(" ") }),
      response: { ...refusalsOf(route), ...(schema.response as Record<string, unknown> | undefined) },
    };
  });
}

/** Whether the route is for a key or a person. */
function needsCaller({ config }: Pick<RouteOptions, "config">): boolean {
  return config?.scope !== undefined || (config?.access !== undefined && config.access !== "public");
}

/** A sent body is parsed and validated even if the operation takes none, except with GET. */
function refusalsOf(route: RouteOptions): Record<string, unknown> {
  const { config, url, method } = route;
  const texts = isOfDashboard(url) ? PERSON_REFUSALS : REFUSALS;
  const statuses: (keyof typeof REFUSALS)[] = [422, 429, 500, 503];
  if (needsCaller(route)) statuses.push(401, 403);
  if (url.includes("/:") || (isOfDashboard(url) && config?.scope !== undefined)) statuses.push(404);
  if (isOfDashboard(url)) statuses.push(403);
  if (![method].flat().includes("GET")) statuses.push(400, 413, 415);
  const schema = isOfDashboard(url) ? personErrorEnvelope : errorEnvelope;
  return Object.fromEntries(statuses.map((status) => [status, refusal(texts[status], schema)]));
}

/** The schema of an operation's own refusal; the description names the codes. */
export function refusal(description: string, schema: z.ZodType = errorEnvelope) {
  return { description, content: { "application/json": { schema } } };
}
