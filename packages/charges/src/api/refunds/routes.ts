import { ApiError } from "@daric/domain/errors";
import { parseAmount } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { idParams } from "@daric/http/validate";
import type { ActingContext } from "@daric/refunds/context";
import { emailConfirmer, seesClaim } from "@daric/refunds/routes";
import { refundRow, toRefundRow } from "@daric/refunds/schema";
import { faultOfPayee, payeeFaultText } from "@daric/refunds/vet-address";
import { forMerchant } from "@daric/runtime/context";
import { chargeOfPath } from "../../charge.ts";
import { askForRefund } from "../../close/ask-for-refund.ts";
import { refundBody } from "./schema.ts";

type AskingContext = ActingContext & {
  readonly config: { readonly http: { readonly publicBaseUrl: string | undefined } };
};

/** Ask for a refund of a charge's money. */
export function refundRoute(app: ApiApp, context: AskingContext): void {
  app.post(
    "/v1/deposit-addresses/:id/refunds",
    {
      config: { scope: "refunds:write", personScope: "refunds:ask", pathRow: chargeOfPath(context) },
      schema: {
        operationId: "askForRefund",
        summary: "Promise money back to the payer",
        description:
          "Send `claim_url` to the payer, who names an address there. An owner or admin pays from a wallet of the merchant, and the service recognises the " +
          "transfer. An order that is not paid is ARCHIVED first: later money to it is late. Where the money paid the order, a person must confirm.",
        tags: ["refunds"],
        params: idParams("charge"),
        body: refundBody,
        response: {
          201: createdOf(refundRow),
          409: refusal(
            "REFUND_REF_TAKEN, NOTHING_RECEIVED where nothing is left, or PAYMENT_IN_PROGRESS while money that may pay the order is not final.",
          ),
          422: refusal("VALIDATION_ERROR, REFUND_EXCEEDS_RECEIVED with what is left, or NOT_FIAT_PRICED."),
        },
      },
    },
    async ({ caller, params, body }, reply) => {
      const { merchantId, apiKeyId, session, scopes } = caller;
      const { amount, fiatAmount, currency, refundRef, reason, address } = body;
      const acting = forMerchant(context, merchantId);
      if (address !== undefined && address !== null) {
        if (!scopes.includes("refunds:address"))
          throw new ApiError("INSUFFICIENT_SCOPE", {
            message: "An address needs the right refunds:address: leave it out, and the payer names it.",
          });
        const fault = await faultOfPayee(acting.db, address);
        if (fault !== undefined)
          throw new ApiError("VALIDATION_ERROR", {
            details: [{ path: "address", message: payeeFaultText(fault) }],
          });
      }
      const emailConfirmedBy = emailConfirmer(caller, body);
      const refund = await askForRefund(acting, {
        ...{ merchantId, id: params.id, refundRef, reason, fiatAmount: fiatAmount ?? null },
        ...{ currency: currency ?? null, address: address ?? null, apiKeyId: apiKeyId ?? null },
        amount: amount === undefined || amount === null ? null : (parseAmount(amount) ?? null),
        ...{ askedBy: session?.personId ?? null, emailConfirmedBy },
      });
      return reply.code(201).send(created(toRefundRow(context, refund, { withClaim: seesClaim(caller) })));
    },
  );
}
