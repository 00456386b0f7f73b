import { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, listed, listOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import { createRateLimiter, type RateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { shownAt } from "@daric/http/shown-at";
import { idParams } from "@daric/http/validate";
import { forMerchant } from "@daric/runtime/context";
import type { FastifyRequest } from "fastify";
import type { ApiContext as DeliveriesContext } from "./deliveries/context.ts";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { sendTestEvent } from "./deliveries/send-test-event.ts";
import { createTestSlots } from "./deliveries/test-slots.ts";
import type { ApiContext as EndpointsContext } from "./endpoints/context.ts";
import { createEndpoint } from "./endpoints/create-endpoint.ts";
import { deleteEndpoint } from "./endpoints/delete-endpoint.ts";
import { findEndpoint, listEndpoints } from "./endpoints/endpoint-store.ts";
import { rotateSecret } from "./endpoints/rotate-secret.ts";
import { updateEndpoint } from "./endpoints/update-endpoint.ts";
import { eventRoutes } from "./events/routes.ts";
import { receiverRoutes } from "./receivers/routes.ts";
import {
  createdEndpointRow,
  createEndpointBody,
  deletedEndpoint,
  endpointQuery,
  endpointRow,
  rotatedEndpointRow,
  rotateSecretBody,
  testResult,
  toEndpointRow,
  updateEndpointBody,
} from "./schema.ts";
import { createSender } from "./sending/sender.ts";

type ApiContext = EndpointsContext & DeliveriesContext;

const tags = ["webhooks"];

const createRefusals = {
  422: refusal(
    "VALIDATION_ERROR with every failing field in `details`, INVALID_WEBHOOK_URL, INVALID_EVENT_TYPE or " +
      "TOO_MANY_ENDPOINTS.",
  ),
};
const updateRefusals = {
  422: refusal(
    "VALIDATION_ERROR with every failing field in `details`, INVALID_WEBHOOK_URL or INVALID_EVENT_TYPE.",
  ),
};

export function webhookRoutes(app: ApiApp, context: ApiContext, access: NetworkAccess = systemAccess): void {
  const limiter = createAttemptLimiter(context);
  createRoute(app, context, access);
  updateRoute(app, context, access);
  testRoute(app, context, { access, limiter });
  rotateSecretRoute(app, context);
  deleteRoute(app, context);
  listEndpointsRoute(app, context);
  retrieveEndpointRoute(app, context);
  deliveryRoutes(app, context, limiter);
  receiverRoutes(app, context, { limiter, pathRow: endpointOfPath(context) });
  eventRoutes(app, context);
}

/** Limits tests and resends together: the endpoint's host need not be the merchant's. */
function createAttemptLimiter({ config, clock }: ApiContext): RateLimiter {
  const perMinute = config.webhooks.testEventsPerMinute;
  const counted = "test events and resends to this endpoint";
  return createRateLimiter({ perSecond: perMinute / 60, burst: perMinute, clock, counted });
}

function createRoute(app: ApiApp, context: ApiContext, access: NetworkAccess): void {
  const response = { 201: createdOf(createdEndpointRow), ...createRefusals };
  app.post(
    "/v1/webhooks/endpoints",
    {
      config: { scope: "webhooks:write", needsProof: true },
      schema: {
        operationId: "createWebhookEndpoint",
        summary: "Create a webhook endpoint",
        description: "The answer holds the secret that signs its events; no other answer ever does.",
        tags,
        body: createEndpointBody,
        response,
      },
    },
    async ({ caller, body }, reply) => {
      const input = { merchantId: caller.merchantId, ...body };
      const { secret, ...endpoint } = await createEndpoint(
        forMerchant(context, caller.merchantId),
        input,
        access.resolve,
      );
      return reply.code(201).send(created({ ...toEndpointRow(endpoint), secret }));
    },
  );
}

function updateRoute(app: ApiApp, context: ApiContext, access: NetworkAccess): void {
  const response = { 200: successOf(endpointRow), ...updateRefusals };
  app.patch(
    "/v1/webhooks/endpoints/:id",
    {
      config: { scope: "webhooks:write", pathRow: endpointOfPath(context), needsProof: true },
      schema: {
        operationId: "updateWebhookEndpoint",
        summary: "Update a webhook endpoint",
        description:
          "Changes the given fields and leaves the others. While it is not active its events wait.",
        tags,
        params: idParams("endpoint"),
        body: updateEndpointBody,
        response,
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const update = { merchantId: caller.merchantId, id: params.id, ...body, shownAt: shownAt(request) };
      return ok(
        toEndpointRow(await updateEndpoint(forMerchant(context, caller.merchantId), update, access.resolve)),
      );
    },
  );
}

function testRoute(
  app: ApiApp,
  context: ApiContext,
  { access, limiter }: { access: NetworkAccess; limiter: RateLimiter },
): void {
  const { db } = context;
  const sender = createSender(context, access);
  const slots = createTestSlots();
  const response = { 200: successOf(testResult) };
  app.post(
    "/v1/webhooks/endpoints/:id/test",
    {
      config: { scope: "webhooks:write", pathRow: endpointOfPath(context) },
      schema: {
        operationId: "sendTestEvent",
        summary: "Send a test event and wait for the answer",
        description:
          "One signed `webhook.test`, one attempt, also to an endpoint that is disabled. At most 6 a minute for one endpoint, " +
          "together with its resends.",
        tags,
        params: idParams("endpoint"),
        response,
      },
    },
    async ({ caller, params }) => {
      const endpoint = await findEndpoint(db.forTenant(caller.merchantId), {
        merchantId: caller.merchantId,
        id: params.id,
      });
      if (endpoint === undefined) throw new ApiError("NOT_FOUND");
      const send = async () => {
        takeOrRefuse(limiter, endpoint.id);
        return sendTestEvent(forMerchant(context, caller.merchantId), endpoint, sender);
      };
      return ok(await slots.hold(endpoint, send));
    },
  );
}

function rotateSecretRoute(app: ApiApp, context: ApiContext): void {
  const response = { 200: successOf(rotatedEndpointRow) };
  app.post(
    "/v1/webhooks/endpoints/:id/rotate-secret",
    {
      config: { scope: "webhooks:write", pathRow: endpointOfPath(context), needsProof: true },
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Give a webhook endpoint a new secret",
        description:
          "Makes a new secret, which is shown this once. For as long as the overlap lasts every delivery is signed with " +
          "the secret before too, so that receivers can change over. A second rotation within it ends the oldest secret.",
        tags,
        params: idParams("endpoint"),
        body: rotateSecretBody,
        response,
      },
    },
    async ({ caller, params, body }) => {
      const rotation = { merchantId: caller.merchantId, id: params.id, ...body };
      const { secret, previousSecretExpiresAt, ...endpoint } = await rotateSecret(
        forMerchant(context, caller.merchantId),
        rotation,
      );
      const until = previousSecretExpiresAt?.toISOString() ?? null;
      return ok({ ...toEndpointRow(endpoint), secret, previous_secret_expires_at: until });
    },
  );
}

function deleteRoute(app: ApiApp, context: ApiContext): void {
  const response = { 200: successOf(deletedEndpoint) };
  app.delete(
    "/v1/webhooks/endpoints/:id",
    {
      config: { scope: "webhooks:write", pathRow: endpointOfPath(context) },
      schema: {
        operationId: "deleteWebhookEndpoint",
        summary: "Delete a webhook endpoint",
        description:
          "No more events are sent to it, and its secret is erased. Waiting deliveries end as `EXHAUSTED`.",
        tags,
        params: idParams("endpoint"),
        response,
      },
    },
    async ({ caller: { merchantId }, params }) => {
      await deleteEndpoint(forMerchant(context, merchantId), { merchantId, id: params.id });
      return ok({ id: params.id, deleted: true as const });
    },
  );
}

function listEndpointsRoute(app: ApiApp, { db }: ApiContext): void {
  const response = { 200: listOf(endpointRow) };
  app.get(
    "/v1/webhooks/endpoints",
    {
      config: { scope: "webhooks:read" },
      schema: {
        operationId: "listWebhookEndpoints",
        summary: "List webhook endpoints",
        description: "Newest first, without their secrets.",
        tags,
        querystring: endpointQuery,
        response,
      },
    },
    async ({ caller, query }) => {
      const isActive = query.status && query.status === "active";
      const filter = { merchantId: caller.merchantId, isActive };
      const { rows, total } = await listEndpoints(db.forTenant(caller.merchantId), filter, pageFrom(query));
      return listed(rows.map(toEndpointRow), { ...query, total });
    },
  );
}

function retrieveEndpointRoute(app: ApiApp, context: ApiContext): void {
  const { db } = context;
  const response = { 200: successOf(endpointRow) };
  app.get(
    "/v1/webhooks/endpoints/:id",
    {
      config: { scope: "webhooks:read", pathRow: endpointOfPath(context) },
      schema: {
        operationId: "retrieveWebhookEndpoint",
        summary: "Retrieve a webhook endpoint",
        description: "One endpoint, without its secret.",
        tags,
        params: idParams("endpoint"),
        response,
      },
    },
    async ({ caller, params }) => {
      const endpoint = await findEndpoint(db.forTenant(caller.merchantId), {
        merchantId: caller.merchantId,
        id: params.id,
      });
      if (endpoint === undefined) throw new ApiError("NOT_FOUND");
      return ok(toEndpointRow(endpoint));
    },
  );
}

function endpointOfPath({ db }: ApiContext) {
  return {
    name: "webhook endpoint",
    exists: async ({ caller: { merchantId } }: FastifyRequest, id: string): Promise<boolean> =>
      (await findEndpoint(db.forTenant(merchantId), { merchantId, id: idOf("endpoint", id) })) !== undefined,
    valuesOf: async ({ caller: { merchantId } }: FastifyRequest, id: string): Promise<object | undefined> => {
      const found = await findEndpoint(db.forTenant(merchantId), { merchantId, id: idOf("endpoint", id) });
      return (
        found && {
          url: found.url,
          description: found.description,
          eventTypes: found.eventTypes,
          isActive: found.isActive,
          updatedAt: found.updatedAt,
        }
      );
    },
  };
}
