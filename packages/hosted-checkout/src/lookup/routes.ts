import type { Lookup, NamedTransaction } from "@daric/domain/lookup";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { tokenParams } from "@daric/http/validate";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { lookupAnswer, lookupBody, toLookupAnswer } from "./schema.ts";

/** The caller's rules: access by token, within its budget. */
type LookupAccess = {
  readonly onRequest: onRequestHookHandler[];
  /** @throws NOT_FOUND and RATE_LIMITED, before the body is validated */
  open(
    request: FastifyRequest,
    token: string,
  ): Promise<(transaction: LookedUpTransaction) => Promise<Lookup>>;
};
type LookedUpTransaction = Exclude<NamedTransaction, "not_an_id">;

/** POST /v1/checkout/:token/lookup, for a payer whose payment does not show. */
export function lookupRoute(app: ApiApp, { onRequest, open }: LookupAccess): void {
  const schema = {
    operationId: "lookUpCheckoutTransaction",
    summary: "Look up a payer's transaction",
    description:
      "For a payer who has paid and does not see it. A payment to any address of the order and its rests counts. Never reveals another order: of a payment elsewhere it returns only the last four " +
      "characters of the address. Six a minute for a token. A node is queried for the rest, " +
      "within a limit for the merchant and the address; beyond it the result is `busy`.",
    tags: ["checkout"],
    params: tokenParams,
    body: lookupBody,
    response: {
      200: successOf(lookupAnswer),
      429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
    },
  };
  const options = { schema, onRequest, attachValidation: true };
  app.post("/v1/checkout/:token/lookup", options, async (request) => {
    const lookUp = await open(request, request.params.token);
    if (request.validationError) throw request.validationError;
    return ok(toLookupAnswer(await lookUp(request.body.txHash)));
  });
}
