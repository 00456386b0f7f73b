import fastifySwagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { ApiApp } from "../http/api-app.ts";
import { isOfDashboard, requireOperationIds, SECURITY_SCHEME, SESSION_SCHEME } from "../http/openapi.ts";
import { type PackedFile, packFile, sendPacked } from "../http/packed-file.ts";
import { type OpenApiDocument, tidyDocument } from "./openapi-document.ts";
import { addAnswerExamples } from "./openapi-examples.ts";
import { addAnswerHeaders } from "./openapi-headers.ts";
import { addCodeSamples } from "./openapi-samples.ts";
import { applyVocabulary, type Vocabulary } from "./openapi-vocabulary.ts";
import { addWebhooks, type WebhookDescription } from "./openapi-webhooks.ts";

/** The document's paths: below the API, and the default of common tools. */
const OPENAPI_PATHS = ["/v1/openapi.json", "/openapi.json"] as const;

/** The contract's parts besides the routes. */
export type ApiContract = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly vocabulary: Vocabulary;
  readonly webhooks: WebhookDescription;
};

const CACHE_BRIEFLY = "public, max-age=300";

const description =
  "Accept USDT and TRX on TRON. Money is a decimal string, never a number; times are ISO 8601 in UTC. Every refusal has " +
  "one shape and repeats the `x-correlation-id` of the request. A query takes a parameter also as answers spell it " +
  "(`order_ref` is `orderRef`), and behind a key a GET that names any other, or one twice, is refused. Fields may be added at any time: ignore what you do not " +
  "know.";

/**
 * Serves the OpenAPI document of all later routes. It is made once, at the first request.
 *
 * @throws Error, from the registration, for a route without an operationId.
 */
export function serveOpenApi(app: ApiApp, contract: ApiContract): void {
  app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Daric",
        version: "1",
        description,
        contact: { name: "The operator of this service", url: "/docs" },
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [
        {
          url: "/",
          description:
            "The deployment that serves this document: live, or test with coins of no value. Each has its own keys.",
        },
      ],
      tags: [...contract.tags],
      components: {
        securitySchemes: {
          [SECURITY_SCHEME]: {
            type: "apiKey",
            in: "header",
            name: "X-Api-Key",
            description: "A secret API key of a merchant: `daric_test_sk_…` or `daric_live_sk_…`.",
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: (route) =>
      jsonSchemaTransform(
        isOfDashboard(route.url) ? { ...route, schema: { ...route.schema, hide: true } } : route,
      ),
    transformObject: (input) =>
      complete(jsonSchemaTransformObject(input) as object as OpenApiDocument, contract) as object,
  });
  requireOperationIds(app);
  app.register(async (scope) => {
    let made: PackedFile | undefined;
    for (const path of OPENAPI_PATHS) {
      scope.get(path, { schema: { hide: true } }, async (request, reply) => {
        made ??= packFile("application/json; charset=utf-8", JSON.stringify(app.swagger()));
        return sendPacked(request, reply.header("cache-control", CACHE_BRIEFLY), made);
      });
    }
  });
}

const dashboardDescription =
  "The actions of the dashboard, beside `/v1`, which takes their session too. The cookie of `signIn` is the credential. Every request but " +
  "a GET repeats the session's `csrf_token` in the header `x-csrf-token`, and `x-daric-merchant` names the merchant. Envelope, errors and " +
  "limits are those of `/v1`.";

/** Serves the document of the dashboard's routes, which are registered on `scope` later. */
export function serveDashboardOpenApi(scope: ApiApp): void {
  scope.register(fastifySwagger, {
    decorator: "dashboardSwagger",
    openapi: {
      openapi: "3.1.0",
      info: { title: "Daric's dashboard", version: "1", description: dashboardDescription },
      servers: [{ url: "/" }],
      components: {
        securitySchemes: {
          [SESSION_SCHEME]: { type: "apiKey", in: "cookie", name: "__Host-daric_session" },
        },
      },
    },
    convertConstToEnum: false,
    transform: jsonSchemaTransform,
    transformObject: (input) =>
      tidyDocument(jsonSchemaTransformObject(input) as object as OpenApiDocument) as object,
  });
  requireOperationIds(scope);
  scope.register(async (inner) => {
    let made: PackedFile | undefined;
    const config = { access: "public" } as const;
    inner.get("/dashboard/v1/openapi.json", { config, schema: { hide: true } }, async (request, reply) => {
      made ??= packFile("application/json; charset=utf-8", JSON.stringify(scope.dashboardSwagger()));
      return sendPacked(request, reply.header("cache-control", CACHE_BRIEFLY), made);
    });
  });
}

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyInstance {
    dashboardSwagger(): object;
  }
}

/** The steps that complete the routes' schemas, in order of dependence. */
function complete(document: OpenApiDocument, { vocabulary, webhooks }: ApiContract): OpenApiDocument {
  const described = applyVocabulary(tidyDocument(addWebhooks(document, webhooks)), vocabulary);
  return addCodeSamples(addAnswerHeaders(addAnswerExamples(described)));
}
