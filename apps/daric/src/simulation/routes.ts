import { chargeOfPath, getCharge, getRefByToken } from "@daric/charges/charge";
import { createTokenCheck } from "@daric/charges/checkout-token";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { createRateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { idParams, tokenParams } from "@daric/http/validate";
import { findRefund } from "@daric/refunds/store";
import { forMerchant } from "@daric/runtime/context";
import type { PayerContext } from "./context.ts";
import {
  refundSimulation,
  simulateBody,
  simulateRefundBody,
  simulation,
  toRefundSimulation,
  toSimulation,
} from "./schema.ts";
import { simulatePayment } from "./simulate-payment.ts";
import { type RefundSimulationContext, simulateRefund } from "./simulate-refund.ts";

const refusals = {
  409: refusal("ORDER_NOT_EXPIRED: `late` before the order has expired, or for an address without an order."),
  422: refusal("VALIDATION_ERROR, also if the devnet cannot send the payment of the case."),
  503: refusal("SERVICE_UNAVAILABLE: the devnet does not answer, is no devchain, or makes no blocks."),
};

/** The most test payments of one checkout: enough to try every case twice. */
const PAYMENTS_PER_MINUTE = 12;

/** Test payments with an API key. Only a devnet's app has this path. */
export function simulationRoutes(app: ApiApp, context: RefundSimulationContext): void {
  refundSimulationRoute(app, context);
  app.post(
    "/v1/test/deposit-addresses/:id/simulate",
    {
      config: { scope: "charges:write", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "simulatePayment",
        summary: "Play a test case: have the devnet pay a deposit address",
        description:
          "Only on the devnet network. A real, signed payment on the local chain: the service reads it like any " +
          "other. Moves no clock and mines no block.",
        tags: ["testing"],
        params: idParams("charge"),
        body: simulateBody,
        response: { 200: successOf(simulation), ...refusals },
      },
    },
    async ({ caller: { merchantId }, params: { id }, body: { case: testCase } }) => {
      const charge = await getCharge(context.db, { merchantId, id });
      return ok(toSimulation(charge, testCase, await simulatePayment(context, charge, testCase)));
    },
  );
}

function refundSimulationRoute(app: ApiApp, context: RefundSimulationContext): void {
  const find = (merchantId: MerchantId, id: string) =>
    findRefund(context.db.forTenant(merchantId), { merchantId, id: idOf("refund", id) });
  app.post(
    "/v1/test/refunds/:id/simulate",
    {
      config: {
        scope: "refunds:write",
        pathRow: {
          name: "refund",
          exists: async ({ caller }, id) => (await find(caller.merchantId, id)) !== undefined,
        },
      },
      schema: {
        operationId: "simulateRefund",
        summary: "Play a test case of a refund: its payer, or its payment",
        description:
          "Only on the devnet network. A real, signed payment on the local chain, which the service recognises like any other. " +
          "The devnet's wallet becomes a paying wallet of yours by `pay`.",
        tags: ["testing"],
        params: idParams("refund"),
        body: simulateRefundBody,
        response: {
          200: successOf(refundSimulation),
          ...refusals,
          409: refusal("REFUND_CLOSED: the refund takes no address, or is not ready to be paid."),
        },
      },
    },
    async ({ caller: { merchantId }, params: { id }, body: { case: testCase } }) => {
      const refund = await find(merchantId, id);
      if (refund === undefined) throw new ApiError("NOT_FOUND");
      const acting = forMerchant(context, merchantId);
      return ok(toRefundSimulation(testCase, await simulateRefund(acting, refund, testCase)));
    },
  );
}

/**
 * Test payments for the holder of a checkout's token, for the page's test panel. Only a devnet's app has this
 * path.
 */
export function payerSimulationRoute(app: ApiApp, context: PayerContext): void {
  const isOurs = createTokenCheck(context.checkoutKey);
  const perSecond = PAYMENTS_PER_MINUTE / 60;
  const perToken = createRateLimiter({ perSecond, burst: PAYMENTS_PER_MINUTE, clock: context.clock });
  const schema = {
    operationId: "simulateCheckoutPayment",
    summary: "Play a test case: have the devnet pay a checkout",
    description:
      "Only on the devnet network. Like simulatePayment, with a checkout token instead of a key: the page's test " +
      "panel uses it.",
    tags: ["testing"],
    params: tokenParams,
    body: simulateBody,
    response: {
      200: successOf(simulation),
      ...refusals,
      429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
    },
  };
  app.post("/v1/checkout/:token/simulate", { schema, attachValidation: true }, async (request) => {
    const { token } = request.params;
    if (!isOurs(token)) throw new ApiError("NOT_FOUND");
    const ref = await getRefByToken(context.db, token);
    takeOrRefuse(perToken, token);
    if (request.validationError) throw request.validationError;
    const { case: testCase } = request.body;
    const charge = await getCharge(context.db, ref);
    return ok(toSimulation(charge, testCase, await simulatePayment(context, charge, testCase)));
  });
}
