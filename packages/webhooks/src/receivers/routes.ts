import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { type RateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { idParams } from "@daric/http/validate";
import { type ContextOf, forMerchant } from "@daric/runtime/context";
import type { FastifyRequest } from "fastify";
import { recoveredRange, sentAgain } from "../deliveries/schema.ts";
import { findEndpoint } from "../endpoints/endpoint-store.ts";
import { findHealth } from "./find-health.ts";
import { recoverEndpoint } from "./recover-endpoint.ts";
import { healthRow, recoverBody, toHealthRow } from "./schema.ts";

type Shared = {
  /** that of tests and resends */
  readonly limiter: RateLimiter;
  readonly pathRow: {
    readonly name: string;
    readonly exists: (request: FastifyRequest, id: string) => Promise<boolean>;
  };
};

const tags = ["webhooks"];

export function receiverRoutes(app: ApiApp, context: ContextOf, shared: Shared): void {
  healthRoute(app, context, shared);
  recoverRoute(app, context, shared);
}

function healthRoute(app: ApiApp, { db }: ContextOf, { pathRow }: Shared): void {
  app.get(
    "/v1/webhooks/endpoints/:id/health",
    {
      config: { scope: "webhooks:read", pathRow },
      schema: {
        operationId: "retrieveWebhookEndpointHealth",
        summary: "Retrieve the health of a webhook endpoint",
        description:
          "How its receiver answers: the last success, since when it fails, what waits, and the attempts of the last 24 hours " +
          "without tests.",
        tags,
        params: idParams("endpoint"),
        response: { 200: successOf(healthRow) },
      },
    },
    async ({ caller: { merchantId }, params: { id } }) => {
      const tenant = db.forTenant(merchantId);
      // A read without a body has no check of its row before the handler.
      if ((await findEndpoint(tenant, { merchantId, id })) === undefined) throw new ApiError("NOT_FOUND");
      return ok(toHealthRow(await findHealth(tenant, { merchantId, id })));
    },
  );
}

function recoverRoute(app: ApiApp, context: ContextOf, { limiter, pathRow }: Shared): void {
  const refused =
    "VALIDATION_ERROR with the rule, also for more than 30 days or 100,000 events, or NOT_RESENDABLE of a disabled endpoint.";
  const response = { 200: successOf(sentAgain), 422: refusal(refused) };
  app.post(
    "/v1/webhooks/endpoints/:id/recover",
    {
      config: { scope: "webhooks:write", pathRow },
      schema: {
        operationId: "recoverWebhookEndpoint",
        summary: "Send an endpoint what it missed",
        description:
          "The events from `from` to `to` that the endpoint subscribes to now and did not accept, oldest first, one every 50 ms " +
          "beside new events. Also those from before it was created. At most 6 calls a minute, together with its test events.",
        tags,
        params: idParams("endpoint"),
        body: recoverBody,
        response,
      },
    },
    async ({ caller: { merchantId }, params, body }) => {
      const range = recoveredRange(body, context.clock.now());
      const own = forMerchant(context, merchantId);
      const endpoint = await findEndpoint(own.db, { merchantId, id: params.id });
      if (endpoint === undefined) throw new ApiError("NOT_FOUND");
      takeOrRefuse(limiter, endpoint.id);
      return ok({ deliveries: await recoverEndpoint(own, endpoint, range) });
    },
  );
}
