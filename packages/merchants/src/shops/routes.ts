import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { createAddressLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { type ConnectContext, connectShop } from "./connect-shop.ts";
import { connectBody, shopConnection } from "./schema.ts";

/** Of one client's address in this process. */
const TRIES_PER_MINUTE = 30;
const SECONDS_PER_MINUTE = 60;

/** POST /v1/shop-connections. The code in the body is the capability: a shop has no key yet. */
export function shopRoutes(
  app: ApiApp,
  context: ConnectContext,
  { resolve }: NetworkAccess = systemAccess,
): void {
  const limiter = createAddressLimiter({
    perSecond: TRIES_PER_MINUTE / SECONDS_PER_MINUTE,
    burst: TRIES_PER_MINUTE,
    clock: context.clock,
    counted: "requests to connect a shop",
  });
  app.post(
    "/v1/shop-connections",
    {
      schema: {
        operationId: "connectShop",
        summary: "Connect a shop by its code",
        description:
          "No key: the code of *Connect a shop* in the dashboard is the capability. It works once, within ten minutes. The shop gets a key " +
          "and a webhook endpoint, and a few seconds later a `webhook.test`. A refused request makes nothing, and the code stays.",
        tags: ["shops"],
        body: connectBody,
        response: {
          201: createdOf(shopConnection),
          403: refusal("MERCHANT_SUSPENDED"),
          404: refusal("SHOP_CODE_NOT_VALID: the code is unknown, used, replaced or too old."),
          422: refusal(
            "VALIDATION_ERROR with every failing field in `details`, INVALID_WEBHOOK_URL, TOO_MANY_ENDPOINTS or CAP_REACHED.",
          ),
        },
      },
    },
    async ({ body, ip }, reply) => {
      takeOrRefuse(limiter, ip);
      const connection = await connectShop(context, { ...body, address: ip }, resolve);
      return reply.code(201).send(created(connection));
    },
  );
}
