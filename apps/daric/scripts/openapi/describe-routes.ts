import { currencies } from "@daric/domain/asset";
import type { ApiApp } from "@daric/http/api-app";
import { isOfDashboard, SECURITY_SCHEME, SESSION_SCHEME } from "@daric/http/openapi";
import fastifySwagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { contract } from "./contract.ts";
import { type OpenApiDocument, tidyDocument } from "./openapi-document.ts";
import { addAnswerExamples } from "./openapi-examples.ts";
import { addAnswerHeaders } from "./openapi-headers.ts";
import { addCodeSamples } from "./openapi-samples.ts";
import { applyVocabulary } from "./openapi-vocabulary.ts";
import { addWebhooks } from "./openapi-webhooks.ts";

const description =
  `Accept ${currencies.join(" and ")} on TRON. ` +
  "Money is a decimal string, never a number; times are ISO 8601 in UTC. Every refusal has " +
  "one shape and repeats the `x-correlation-id` of the request. A query takes a parameter also as answers spell it " +
  "(`order_ref` is `orderRef`), and behind a key a GET that names any other, or one twice, is refused. Fields may be added at any time: ignore what you do not " +
  "know.";

/**
 * Describes all later routes of the API.
 *
 * @throws Error, from the registration, for a route without an operationId.
 */
export function describeApi(app: ApiApp): void {
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
      complete(jsonSchemaTransformObject(input) as object as OpenApiDocument) as object,
  });
  requireOperationIds(app);
}

const dashboardDescription =
  "The actions of the dashboard, beside `/v1`, which takes their session too. The cookie of `signIn` is the credential. Every request but " +
  "a GET repeats the session's `csrf_token` in the header `x-csrf-token`, and `x-daric-merchant` names the merchant. Envelope, errors and " +
  "limits are those of `/v1`.";

/** Describes the routes of the dashboard, which are registered on `scope` later. */
export function describeDashboard(scope: ApiApp): void {
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
}

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyInstance {
    dashboardSwagger(): object;
  }
}

/**
 * Requires a client name for every documented route.
 *
 * @throws Error for a route without an operationId.
 */
function requireOperationIds(app: ApiApp): void {
  app.addHook("onRoute", ({ schema, method, url }) => {
    if (schema?.hide === true || schema?.operationId !== undefined) return;
    throw new Error(`${method} ${url} has no operationId: a verb and a noun, like createDepositAddress`);
  });
}

/** The steps that complete the routes' schemas, in order of dependence. */
function complete(document: OpenApiDocument): OpenApiDocument {
  const described = applyVocabulary(
    tidyDocument(addWebhooks(document, contract.webhooks)),
    contract.vocabulary,
  );
  return addCodeSamples(addAnswerHeaders(addAnswerExamples(described)));
}
