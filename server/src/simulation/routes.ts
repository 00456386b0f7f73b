import { chargeOfPath, getCharge, getRefByToken } from "../charges/charge.ts";
import { createTokenCheck } from "../charges/checkout-token.ts";
import { ApiError } from "../domain/errors.ts";
import type { ApiApp } from "../http/api-app.ts";
import { ok, successOf } from "../http/envelope.ts";
import { refusal } from "../http/openapi.ts";
import { createRateLimiter, takeOrRefuse } from "../http/rate-limit.ts";
import { idParams, tokenParams } from "../http/validate.ts";
import type { ApiContext, PayerContext } from "./context.ts";
import { simulateBody, simulation, toSimulation } from "./schema.ts";
import { simulatePayment } from "./simulate-payment.ts";

const refusals = {
  409: refusal("ORDER_NOT_EXPIRED: `late` before the order has expired, or of an address that is no order."),
  422: refusal("VALIDATION_ERROR, also where the devnet cannot send what the case needs."),
  503: refusal("SERVICE_UNAVAILABLE: the devnet is away, is no devchain, or makes no blocks."),
};

/** Of one checkout: a person who tries every case, twice. */
const PAYMENTS_PER_MINUTE = 12;

/** Payments as a test needs them. For an app of a devnet alone: nowhere else does the path exist. */
export function simulationRoutes(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/test/deposit-addresses/:id/simulate",
    {
      config: { scope: "charges:write", pathRow: chargeOfPath(context) },
      schema: {
        operationId: "simulatePayment",
        summary: "Play a test case: have the devnet pay a deposit address",
        description:
          "Only where the network is devnet. A payment on the real local chain, which signs it: the service sees it as any " +
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

/**
 * The same for whoever has a checkout's token, as the test panel of its page. For an app of a devnet alone: nowhere else does
 * the path exist.
 */
export function payerSimulationRoute(app: ApiApp, context: PayerContext): void {
  const isOurs = createTokenCheck(context.checkoutKey);
  const perSecond = PAYMENTS_PER_MINUTE / 60;
  const perToken = createRateLimiter({ perSecond, burst: PAYMENTS_PER_MINUTE, clock: context.clock });
  const schema = {
    operationId: "simulateCheckoutPayment",
    summary: "Play a test case: have the devnet pay a checkout",
    description:
      "Only where the network is devnet. As simulatePayment, with the token of a checkout in place of a key: what the test " +
      "panel of the page calls.",
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
