import { mayRead } from "@daric/domain/caller";
import { checkEventTypes } from "@daric/domain/check-event-types";
import { ApiError } from "@daric/domain/errors";
import { type EndpointId, idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { listed, listOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import { type RateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { idParams } from "@daric/http/validate";
import { forMerchant } from "@daric/runtime/context";
import type { FastifyRequest } from "fastify";
import type { ApiContext } from "./context.ts";
import { findDelivery, listAttempts, listDeliveries } from "./delivery-log-store.ts";
import { resendDeliveries } from "./resend-deliveries.ts";
import { resendDelivery } from "./resend-delivery.ts";
import {
  deliveryDetail,
  deliveryQuery,
  deliveryRow,
  recoveredRange,
  resendBody,
  sentAgain,
  toDeliveryDetail,
  toDeliveryRow,
} from "./schema.ts";

const tags = ["webhooks"];

export function deliveryRoutes(app: ApiApp, context: ApiContext, limiter: RateLimiter): void {
  listDeliveriesRoute(app, context);
  retrieveDeliveryRoute(app, context);
  resendRoute(app, context, limiter);
  resendManyRoute(app, context, limiter);
}

function listDeliveriesRoute(app: ApiApp, { db }: ApiContext): void {
  const response = { 200: listOf(deliveryRow) };
  app.get(
    "/v1/webhooks/deliveries",
    {
      config: { scope: "webhooks:read" },
      schema: {
        operationId: "listWebhookDeliveries",
        summary: "List webhook deliveries",
        description: "Newest first: each event on its way to each endpoint.",
        tags,
        querystring: deliveryQuery,
        response,
      },
    },
    async ({ caller, query }) => {
      const { status, referenceId, endpointId, orderRef } = query;
      const filter = { merchantId: caller.merchantId, status, referenceId, endpointId, orderRef };
      const { rows, total } = await listDeliveries(db.forTenant(caller.merchantId), filter, pageFrom(query));
      return listed(rows.map(toDeliveryRow), { ...query, total });
    },
  );
}

function deliveryOfPath({ db }: ApiContext) {
  return {
    name: "webhook delivery",
    exists: async ({ caller: { merchantId } }: FastifyRequest, id: string): Promise<boolean> =>
      (await findDelivery(db.forTenant(merchantId), { merchantId, id: idOf("delivery", id) })) !== undefined,
    valuesOf: async ({ caller: { merchantId } }: FastifyRequest, id: string): Promise<object | undefined> => {
      const found = await findDelivery(db.forTenant(merchantId), { merchantId, id: idOf("delivery", id) });
      return found && { status: found.status, attemptCount: found.attemptCount, lastError: found.lastError };
    },
  };
}

function resendRoute(app: ApiApp, context: ApiContext, limiter: RateLimiter): void {
  const unsendable =
    "VALIDATION_ERROR, or NOT_RESENDABLE of a test and where its endpoint or its body is gone.";
  const response = { 200: successOf(deliveryRow), 422: refusal(unsendable) };
  app.post(
    "/v1/webhooks/deliveries/:id/resend",
    {
      config: {
        scope: "webhooks:write",
        personScope: "deliveries:resend",
        pathRow: deliveryOfPath(context),
      },
      schema: {
        operationId: "resendWebhookDelivery",
        summary: "Send a delivery once more",
        description:
          "One more attempt at once with the same bytes and the same endpoint, whatever the status of the delivery. " +
          "At most 6 a minute for one endpoint, together with its test events.",
        tags,
        params: idParams("delivery"),
        response,
      },
    },
    async ({ caller: { merchantId }, params: { id } }) => {
      const takeTurn = (endpointId: EndpointId) => takeOrRefuse(limiter, endpointId);
      return ok(
        toDeliveryRow(await resendDelivery(forMerchant(context, merchantId), { merchantId, id }, takeTurn)),
      );
    },
  );
}

function resendManyRoute(app: ApiApp, context: ApiContext, limiter: RateLimiter): void {
  const refused =
    "VALIDATION_ERROR with the rule, also where more than 100,000 deliveries match, or INVALID_EVENT_TYPE.";
  const response = { 200: successOf(sentAgain), 422: refusal(refused) };
  app.post(
    "/v1/webhooks/deliveries/resend",
    {
      config: { scope: "webhooks:write", personScope: "deliveries:resend" },
      schema: {
        operationId: "resendWebhookDeliveries",
        summary: "Send many deliveries once more",
        description:
          "The matching deliveries of active endpoints, oldest first, one every 50 ms beside new events. By default these are " +
          "the `FAILED` and `EXHAUSTED` ones of the last 30 days. Each goes out with the same bytes. At most 6 calls a minute.",
        tags,
        body: resendBody,
        response,
      },
    },
    async ({ caller: { merchantId }, body }) => {
      const { status, endpointId, referenceId } = body;
      const range = recoveredRange(body, context.clock.now());
      const eventTypes = body.eventTypes && checkEventTypes(body.eventTypes);
      takeOrRefuse(limiter, endpointId ?? merchantId);
      const statuses = status === undefined ? (["FAILED", "EXHAUSTED"] as const) : [status];
      const filter = { merchantId, ...range, statuses, endpointId, referenceId, eventTypes };
      return ok({ deliveries: await resendDeliveries(forMerchant(context, merchantId), filter) });
    },
  );
}

function retrieveDeliveryRoute(app: ApiApp, context: ApiContext): void {
  const { db } = context;
  const response = { 200: successOf(deliveryDetail) };
  app.get(
    "/v1/webhooks/deliveries/:id",
    {
      config: { scope: "webhooks:read", pathRow: deliveryOfPath(context) },
      schema: {
        operationId: "retrieveWebhookDelivery",
        summary: "Retrieve a webhook delivery",
        description: "One delivery with every attempt that was made.",
        tags,
        params: idParams("delivery"),
        response,
      },
    },
    async ({ caller, params }) => {
      const { merchantId } = caller;
      const own = db.forTenant(merchantId);
      const delivery = await findDelivery(own, { merchantId, id: params.id });
      if (delivery === undefined) throw new ApiError("NOT_FOUND");
      const attempts = await listAttempts(own, { merchantId, ...delivery });
      return ok(toDeliveryDetail(delivery, attempts, mayRead(caller, "bodies:read")));
    },
  );
}
