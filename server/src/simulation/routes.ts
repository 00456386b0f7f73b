import { chargeExists, getCharge } from "../charges/charge.ts";
import type { ApiApp } from "../http/api-app.ts";
import { ok, successOf } from "../http/envelope.ts";
import { refusal } from "../http/openapi.ts";
import { idParams } from "../http/validate.ts";
import type { ApiContext } from "./context.ts";
import { simulateBody, simulation, toSimulation } from "./schema.ts";
import { simulatePayment } from "./simulate-payment.ts";

const refusals = {
  409: refusal("ORDER_NOT_EXPIRED: `late` before the order has expired, or of an address that is no order."),
  422: refusal("VALIDATION_ERROR, also where the devnet cannot send what the case needs."),
  503: refusal("SERVICE_UNAVAILABLE: the devnet is away, is no devchain, or makes no blocks."),
};

/** Payments as a test needs them. For an app of a devnet alone: nowhere else does the path exist. */
export function simulationRoutes(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/test/deposit-addresses/:id/simulate",
    {
      config: { scope: "charges:write", pathExists: chargeExists(context) },
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
