import type { Caller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId, type PersonId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { listed, listOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import { idParams } from "@daric/http/validate";
import { forMerchant } from "@daric/runtime/context";
import { askAgain } from "./ask-again.ts";
import { cancelRefund } from "./cancel-refund.ts";
import { requireOurs } from "./change-refund.ts";
import { confirmRefund } from "./confirm-refund.ts";
import { confirmTransfer, type FindTransfers } from "./confirm-transfer.ts";
import type { ActingContext } from "./context.ts";
import { openPay } from "./open-pay.ts";
import type { Refund, RefundRef } from "./refund.ts";
import { askAgainBody, confirmBody, refundQuery, refundRow, toRefundRow, transactionBody } from "./schema.ts";
import { findRefund, listRefunds } from "./store.ts";

type ApiContext = ActingContext & {
  readonly config: { readonly http: { readonly publicBaseUrl: string | undefined } };
};

const tags = ["refunds"];
const params = idParams("refund");
const answer = successOf(refundRow);
const closed = refusal("REFUND_CLOSED: the message says what the refund waits for, or how it ended.");

/** List, retrieve, cancel, ask again; and for a person of the merchant: confirm, pay, name the transaction. */
export function refundRoutes(app: ApiApp, context: ApiContext, findTransfers: FindTransfers): void {
  listRoute(app, context);
  retrieveRoute(app, context);
  cancelRoute(app, context);
  askAgainRoute(app, context);
  confirmRoute(app, context);
  payRoute(app, context);
  transactionRoute(app, context, findTransfers);
}

/** Whether the answer has the claim link: for a key that makes refunds, and for a person that may ask for them. */
export function seesClaim({ scopes, session }: Caller): boolean {
  return session === undefined ? scopes.includes("refunds:write") : scopes.includes("refunds:ask");
}

/** The refund in a route's path: its name in messages, and the check that the caller owns it. */
function refundOfPath(context: ApiContext) {
  const find = ({ caller }: { readonly caller: { readonly merchantId: MerchantId } }, id: string) =>
    findRefund(context.db.forTenant(caller.merchantId), {
      merchantId: caller.merchantId,
      id: idOf("refund", id),
    });
  return {
    name: "refund",
    exists: async (...path: Parameters<typeof find>) => (await find(...path)) !== undefined,
    valuesOf: async (...path: Parameters<typeof find>) => {
      const refund = await find(...path);
      return refund && valuesOf(refund);
    },
  };
}

/** The values that acts on a refund change; the audit log keeps them, and never the claim link. */
function valuesOf({ status, address, needsConfirmation, claimNumber, txId, frozenUntil }: Refund): object {
  return { status, address, needsConfirmation, claimNumber, txId, frozenUntil };
}

function listRoute(app: ApiApp, context: ApiContext): void {
  app.get(
    "/v1/refunds",
    {
      config: { scope: "refunds:read" },
      schema: {
        operationId: "listRefunds",
        summary: "List refunds",
        description: "Newest first. `claim_url` is null in lists.",
        tags,
        querystring: refundQuery,
        response: { 200: listOf(refundRow) },
      },
    },
    async ({ caller: { merchantId }, query }) => {
      const filter = { merchantId, status: query.status, depositAddressId: query.depositAddressId };
      const { rows, total } = await listRefunds(context.db.forTenant(merchantId), filter, pageFrom(query));
      return listed(
        rows.map((refund) => toRefundRow(context, shown(context, refund), { withClaim: false })),
        { ...query, total },
      );
    },
  );
}

function retrieveRoute(app: ApiApp, context: ApiContext): void {
  app.get(
    "/v1/refunds/:id",
    {
      config: { scope: "refunds:read", pathRow: refundOfPath(context) },
      schema: {
        operationId: "retrieveRefund",
        summary: "Retrieve a refund",
        description: "One refund. `claim_url` is there for keys with `refunds:write` alone.",
        tags,
        params,
        response: { 200: answer },
      },
    },
    async ({ caller, params: { id } }) => {
      const { merchantId } = caller;
      const refund = await findRefund(context.db.forTenant(merchantId), { merchantId, id });
      if (refund === undefined) throw new ApiError("NOT_FOUND");
      return ok(toRefundRow(context, shown(context, refund), { withClaim: seesClaim(caller) }));
    },
  );
}

/** The refund; without its address where another program wrote the row. */
function shown(context: ApiContext, refund: Refund): Refund {
  return requireOurs(context, refund) ? refund : { ...refund, address: null, defaultAddress: null };
}

function cancelRoute(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/refunds/:id/cancel",
    {
      config: { scope: "refunds:write", pathRow: refundOfPath(context) },
      schema: {
        operationId: "cancelRefund",
        summary: "Cancel a refund that is not on the chain",
        description:
          "One that was READY is watched for 30 days more: a transfer that fits completes it all the same. A second time it answers the same.",
        tags,
        params,
        response: { 200: answer, 409: closed },
      },
    },
    async ({ caller, params: { id } }) => {
      const { merchantId } = caller;
      const refund = await cancelRefund(forMerchant(context, merchantId), { merchantId, id });
      return ok(toRefundRow(context, refund, { withClaim: seesClaim(caller) }));
    },
  );
}

function askAgainRoute(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/refunds/:id/ask-again",
    {
      config: { scope: "refunds:write", personScope: "refunds:ask", pathRow: refundOfPath(context) },
      schema: {
        operationId: "askForRefundAddressAgain",
        summary: "Ask the payer for an address again",
        description:
          "Makes a new `claim_url`, and the old one is dead. A refund that was READY waits for the new address; do not pay the old one.",
        tags,
        params,
        body: askAgainBody,
        response: { 200: answer, 409: closed },
      },
    },
    async ({ caller, params: { id }, body }) => {
      const { merchantId } = caller;
      const confirmedBy = emailConfirmer(caller, body);
      const refund = await askAgain(forMerchant(context, merchantId), { merchantId, id, confirmedBy });
      return ok(toRefundRow(context, refund, { withClaim: seesClaim(caller) }));
    },
  );
}

/** The person that says that the order's e-mail address is the payer's. @throws INSUFFICIENT_SCOPE for a key that says it */
export function emailConfirmer(
  { session }: Caller,
  { confirmEmail }: { readonly confirmEmail?: boolean | null | undefined },
): PersonId | null {
  if (confirmEmail !== true) return null;
  if (session === undefined)
    throw new ApiError("INSUFFICIENT_SCOPE", {
      message: "Only a person may confirm an e-mail address: leave confirmEmail out.",
    });
  return session.personId;
}

/** The person that acts, and the refund of the path. @throws INSUFFICIENT_SCOPE for a key: a person decides about money. */
function actorOf({ merchantId, session }: Caller, id: RefundRef["id"]) {
  if (session === undefined)
    throw new ApiError("INSUFFICIENT_SCOPE", { message: "Only a person may do this, in the dashboard." });
  return { merchantId, id, personId: session.personId };
}

function confirmRoute(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/refunds/:id/confirm",
    {
      config: { scope: "refunds:pay", needsProof: true, pathRow: refundOfPath(context) },
      schema: {
        operationId: "confirmRefund",
        summary: "Confirm a refund that is in doubt",
        description:
          "In the session of an owner or admin alone, with a fresh proof. Where there are two, another person than the one that asked for the refund.",
        tags,
        params,
        body: confirmBody,
        response: { 200: answer, 409: closed },
      },
    },
    async (request) => {
      const actor = actorOf(request.caller, request.params.id);
      const refund = await confirmRefund(forMerchant(context, actor.merchantId), {
        ...actor,
        ...request.body,
      });
      return ok(toRefundRow(context, refund, { withClaim: true }));
    },
  );
}

function payRoute(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/refunds/:id/pay",
    {
      config: { scope: "refunds:pay", pathRow: refundOfPath(context) },
      schema: {
        operationId: "payRefund",
        summary: "Open the payment of a refund",
        description:
          "In the session of an owner or admin alone. Address and amount stay for half an hour, until `pay_until`. Pay from a wallet of your own: no key of the service pays.",
        tags,
        params,
        response: { 200: answer, 409: closed },
      },
    },
    async (request) => {
      const { merchantId, id } = actorOf(request.caller, request.params.id);
      const refund = await openPay(forMerchant(context, merchantId), { merchantId, id });
      return ok(toRefundRow(context, refund, { withClaim: false }));
    },
  );
}

function transactionRoute(app: ApiApp, context: ApiContext, findTransfers: FindTransfers): void {
  app.post(
    "/v1/refunds/:id/transaction",
    {
      config: { scope: "refunds:pay", needsProof: true, pathRow: refundOfPath(context) },
      schema: {
        operationId: "confirmRefundTransaction",
        summary: "Say which transaction paid a refund",
        description:
          "In the session of an owner or admin alone, with a fresh proof. Its sender is a paying wallet of yours from then on. `paid_amount` will be what it moved.",
        tags,
        params,
        body: transactionBody,
        response: {
          200: answer,
          409: closed,
          422: refusal(
            "VALIDATION_ERROR: the transaction moved none of the coin to an address of the refund.",
          ),
        },
      },
    },
    async (request) => {
      const { txHash: txId } = request.body;
      const actor = actorOf(request.caller, request.params.id);
      const acting = forMerchant(context, actor.merchantId);
      const refund = await confirmTransfer(acting, { ...actor, txId }, findTransfers);
      return ok(toRefundRow(context, refund, { withClaim: false }));
    },
  );
}
