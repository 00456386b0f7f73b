import { createHash } from "node:crypto";
import fastifySwagger from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import type { ApiApp } from "./api-app.ts";
import { errorEnvelope } from "./envelope.ts";
import { tidyDocument } from "./openapi-document.ts";

export const OPENAPI_PATH = "/v1/openapi.json";

/** What any route can answer with beside its own refusals, by status. */
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

const SECURITY_SCHEME = "ApiKey";
const CACHE_BRIEFLY = "public, max-age=300";

/**
 * Completes what every route says of itself: a query schema where there is none (so that repeated parameters are
 * refused there too), the refusals that any such route can answer with, and the key it needs.
 */
export function completeRouteSchemas(app: ApiApp): void {
  app.addHook("onRoute", (route) => {
    const schema = route.schema ?? {};
    const needsKey = route.config?.scope !== undefined;
    route.schema = {
      querystring: z.object({}),
      ...(needsKey ? { security: [{ [SECURITY_SCHEME]: [] }] } : {}),
      ...schema,
      response: { ...refusalsOf(route), ...(schema.response as Record<string, unknown> | undefined) },
    };
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

/** What an operation answers with one status when it refuses for reasons of its own. */
export function refusal(description: string) {
  return { description, content: { "application/json": { schema: errorEnvelope } } };
}

/** Serves the OpenAPI document of all routes that are registered after it. It is made once, when it is first asked for. */
export function serveOpenApi(app: ApiApp): void {
  app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Daric",
        version: "1",
        description:
          "Accept USDT and TRX on TRON. Money is a decimal string, never a number. Every refusal has one shape and " +
          "repeats the `x-correlation-id` of the request. Fields may be added at any time: ignore what you do not know.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/" }],
      components: {
        securitySchemes: {
          [SECURITY_SCHEME]: {
            type: "apiKey",
            in: "header",
            name: "X-Api-Key",
            description: "A secret API key of a merchant.",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (input) => tidyDocument(jsonSchemaTransformObject(input)),
  });
  app.register(async (scope) => {
    let made: { text: string; etag: string } | undefined;
    scope.get(OPENAPI_PATH, { schema: { hide: true } }, async ({ headers }, reply) => {
      made ??= withEtag(JSON.stringify(app.swagger()));
      reply.headers({ "cache-control": CACHE_BRIEFLY, etag: made.etag });
      if (isNamedBy(headers["if-none-match"], made.etag)) return reply.code(304).send();
      return reply.type("application/json; charset=utf-8").send(made.text);
    });
  });
}

function withEtag(text: string): { text: string; etag: string } {
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}

/** Whether an If-None-Match header names this tag: alone, in a list, marked as weak by a proxy, or by `*`. */
function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
