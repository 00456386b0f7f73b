import fastifySwagger from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorEnvelope } from "./envelope.ts";
import type { ApiApp } from "./server.ts";

export const OPENAPI_PATH = "/v1/openapi.json";

/**
 * Completes what every route says of itself: a query schema where there is none (so that repeated parameters are
 * refused there too), and the refusals that any such route can answer with.
 */
export function completeRouteSchemas(app: ApiApp): void {
  app.addHook("onRoute", (route) => {
    const schema = route.schema ?? {};
    const refusals = Object.fromEntries(refusalStatuses(route).map((status) => [status, errorEnvelope]));
    const response = { ...refusals, ...(schema.response as Record<string, unknown> | undefined) };
    route.schema = { querystring: z.object({}), ...schema, response };
  });
}

function refusalStatuses({ schema, config, url }: RouteOptions): number[] {
  const statuses = [422, 429, 500, 503];
  if (config?.scope !== undefined) statuses.push(401, 403);
  if (url.includes("/:")) statuses.push(404);
  if (schema?.body !== undefined) statuses.push(400, 413, 415);
  return statuses.sort((a, b) => a - b);
}

/** Serves the OpenAPI document of all routes that are registered after it. */
export function serveOpenApi(app: ApiApp): void {
  app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Daric",
        version: "1",
        description: "Accept USDT and TRX on TRON: deposit addresses, orders, deposits and webhooks.",
        license: { name: "MIT", identifier: "MIT" },
      },
      components: {
        securitySchemes: {
          ApiKey: {
            type: "apiKey",
            in: "header",
            name: "X-Api-Key",
            description: "The secret key of a merchant.",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.register(async (scope) => {
    scope.get(OPENAPI_PATH, { schema: { hide: true } }, async (_request, reply) =>
      reply.serializer(JSON.stringify).send(app.swagger()),
    );
  });
}
