import { type Caller, seenBy } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, listed, listOf, ok, successOf, warned, writeAsItIs } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import { requireRight } from "@daric/http/session";
import type { httpSettings } from "@daric/http/settings";
import { idParams } from "@daric/http/validate";
import { isMailConfigured, type MailContext } from "@daric/messages/announce";
import { type ContextOf, forMerchant } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { sendingSettings } from "@daric/webhooks/sending/context";
import { type Charge, chargeOfPath, findChargeOf } from "../charge.ts";
import { acceptCharge } from "../close/accept-charge.ts";
import { archiveCharge } from "../close/archive-charge.ts";
import type { AcceptingContext } from "../context.ts";
import { askForRest } from "../create/ask-for-rest.ts";
import { createCharge } from "../create/create-charge.ts";
import { findOrCreateReceiveAddress } from "../create/find-or-create-receive-address.ts";
import type { IssuingContext } from "../create/write-charge.ts";
import { extendCharge } from "../extend-charge.ts";
import { listCharges } from "../list-charges.ts";
import { requireRightAddress, withRightAddresses } from "../shown-address.ts";
import { chargeRow, createdCharge, toCreatedCharge } from "./row/schema.ts";
import { toRow, toRows } from "./row/to-rows.ts";
import { acceptBody, createBody, extendBody, listQuery, toChargeRequest } from "./schema.ts";

type ApiContext = ContextOf<{
  readonly http: ConfigOf<typeof httpSettings, "api">;
  readonly webhooks: ConfigOf<typeof sendingSettings, "api">;
}> &
  MailContext;
type ShowingContext = ApiContext & Pick<IssuingContext, "addresses">;

const tags = ["deposit addresses"];

/** The warning of a create with an address where there is no mail server. */
export function warningsOfEmail(
  context: MailContext,
  { customerEmail }: { readonly customerEmail: string | null },
): string[] {
  return customerEmail === null || isMailConfigured(context)
    ? []
    : ["customerEmail is kept, but this service has no mail server: no mail is sent"];
}

/** The refusals of create. Only temporary ones have a Retry-After. */
export const createRefusals = {
  403: refusal("INSUFFICIENT_SCOPE or MERCHANT_SUSPENDED."),
  404: refusal("SETTLEMENT_ACCOUNT_NOT_FOUND"),
  422: refusal(
    "VALIDATION_ERROR with every failing field in `details`, USD_AMOUNT_REQUIRED, FIAT_AMOUNT_REQUIRED, " +
      "EXPECTED_AMOUNT_REQUIRED, SETTLEMENT_ACCOUNT_DISABLED or NO_SETTLEMENT_ACCOUNT.",
  ),
  429: refusal("RATE_LIMITED with `Retry-After` in seconds, or MAX_ACTIVE_ADDRESSES without it."),
  503: refusal("SERVICE_UNAVAILABLE with `Retry-After` in seconds, or RATE_UNAVAILABLE: retry shortly."),
};

const acceptRefusals = {
  409: refusal("ORDER_ALREADY_PAID, also by being accepted, or NOTHING_RECEIVED."),
  422: refusal("VALIDATION_ERROR, also where the charge is no order."),
};

const restRefusals = {
  403: createRefusals[403],
  409: refusal(
    "ORDER_ALREADY_PAID, also by being accepted, PAYMENT_IN_PROGRESS while a payment is not final, or NOTHING_RECEIVED.",
  ),
  422: refusal("VALIDATION_ERROR where the charge is no order, or SETTLEMENT_ACCOUNT_DISABLED."),
  429: createRefusals[429],
  503: createRefusals[503],
};

const extendRefusals = {
  409: refusal("ORDER_CLOSED: it is not ACTIVE any more, or the chain is past `expires_at`."),
  422: refusal("VALIDATION_ERROR, also of a receive address, and where it would live too long."),
};

/**
 * Create, list, retrieve, accept, extend and archive charges, and ask for the rest of one; see the service contract, "POST /v1/deposit-addresses"
 * and on.
 */
export function chargeRoutes(app: ApiApp, context: IssuingContext & AcceptingContext & ApiContext): void {
  createRoute(app, context);
  listRoute(app, context);
  retrieveRoute(app, context);
  acceptRoute(app, context);
  restRoute(app, context);
  extendRoute(app, context);
  archiveRoute(app, context);
}

function createRoute(app: ApiApp, context: IssuingContext & ApiContext): void {
  app.post(
    "/v1/deposit-addresses",
    {
      config: { scope: "charges:write", narrows: true },
      schema: {
        operationId: "createDepositAddress",
        summary: "Create an order, an open address or a receive address",
        description:
          "With `amount` an order, with `reusable` a standing receive address, else an open address for any amount. There is no idempotency key: look for your `orderRef` in the list before you send it again.",
        tags,
        body: createBody,
        response: { 201: createdOf(createdCharge), ...createRefusals },
      },
      serializerCompiler: () => writeAsItIs,
    },
    async ({ caller, body }, reply) => {
      const requestedAt = performance.now() - reply.elapsedTime;
      // The standing address of a customer may be another person's.
      if (body.reusable && caller.ownOrdersOf !== undefined) requireRight(caller.scopes, "orders:all");
      const create = body.reusable ? findOrCreateReceiveAddress : createCharge;
      const { http, webhooks } = context.config;
      const charge = await create(
        { requestedAt, ...context },
        toChargeRequest(body, caller, webhooks.masterKey),
      );
      const answer = created(toCreatedCharge(charge, http.publicBaseUrl));
      return reply.code(201).send(warned(answer, warningsOfEmail(context, body)));
    },
  );
}

function listRoute(app: ApiApp, context: ShowingContext): void {
  app.get(
    "/v1/deposit-addresses",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "listDepositAddresses",
        summary: "List deposit addresses",
        description:
          "Newest first. Every filter narrows the list further. `address` is empty in a row whose address cannot be proven to be ours.",
        tags,
        querystring: listQuery,
        response: { 200: listOf(chargeRow) },
      },
    },
    async ({ caller, query }) => {
      const { kind, paymentStatus } = query;
      const db = context.db.forTenant(caller.merchantId);
      const { rows, total } = await listCharges(db, { ...query, ...seenBy(caller) }, pageFrom(query));
      const withPaymentStatus = kind === "order" || paymentStatus !== undefined;
      const charges = await withRightAddresses(context.addresses, rows);
      const shown = await toRows(context, db, { caller, charges, withPaymentStatus });
      return listed(shown, { ...query, total });
    },
  );
}

function retrieveRoute(app: ApiApp, context: ShowingContext): void {
  app.get(
    "/v1/deposit-addresses/:id",
    {
      config: { scope: "charges:read", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "retrieveDepositAddress",
        summary: "Retrieve a deposit address",
        description:
          "One deposit address with the amounts that it has received so far. Prefer webhooks to polling.",
        tags,
        params: idParams("charge"),
        response: { 200: successOf(chargeRow) },
      },
    },
    async ({ caller, params }) => {
      const charge = await findChargeOf(context, caller, params.id);
      if (charge === undefined) throw new ApiError("NOT_FOUND");
      const shown = await requireRightAddress(context.addresses, charge);
      return ok(await toRow(context, caller, shown));
    },
  );
}

function acceptRoute(app: ApiApp, context: AcceptingContext & ShowingContext): void {
  app.post(
    "/v1/deposit-addresses/:id/accept",
    {
      config: { scope: "charges:write", personScope: "orders:accept", pathRow: chargeOfPath(context) },
      schema: {
        operationId: "acceptDepositAddress",
        summary: "Accept the received amount of an order as full payment",
        description:
          "For an order short of its due: it is ARCHIVED, counts as paid from then on, and `order.accepted` is sent. " +
          "`payment_state` still compares the received amount with the due.",
        tags,
        params: idParams("charge"),
        body: acceptBody,
        response: { 200: successOf(chargeRow), ...acceptRefusals },
      },
    },
    async ({ caller, params, body: { reason } }) => {
      const { merchantId } = caller;
      const charge = await acceptCharge(forMerchant(context, merchantId), {
        merchantId,
        id: params.id,
        reason,
      });
      return ok(await toChangedRow(context, caller, charge));
    },
  );
}

function restRoute(app: ApiApp, context: IssuingContext & ShowingContext): void {
  app.post(
    "/v1/deposit-addresses/:id/rest",
    {
      config: { scope: "charges:write", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "askForRest",
        summary: "Ask for the rest of an order that is short",
        description:
          "Makes an order of what is missing, with the same `order_ref`: send the customer to its `checkout_url`. The short order " +
          "is ARCHIVED, and later money to it is late. When the rest is paid, its `order.paid` has `restCompletes: true`, and the " +
          "short order is accepted. While a rest is open and asks for what is missing, the answer is that same row. The `id` of a rest " +
          "stands for its first order.",
        tags,
        params: idParams("charge"),
        response: { 201: createdOf(chargeRow), ...restRefusals },
      },
    },
    async ({ caller, params }, reply) => {
      const requestedAt = performance.now() - reply.elapsedTime;
      const { merchantId, apiKeyId } = caller;
      const rest = await askForRest(
        { requestedAt, ...forMerchant(context, merchantId) },
        { merchantId, id: params.id, apiKeyId: apiKeyId ?? null },
      );
      return reply.code(201).send(created(await toChangedRow(context, caller, rest)));
    },
  );
}

function extendRoute(app: ApiApp, context: ShowingContext): void {
  app.post(
    "/v1/deposit-addresses/:id/extend",
    {
      config: { scope: "charges:write", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "extendDepositAddress",
        summary: "Give an order or an open address more time",
        description:
          "Moves `expires_at` and the end of the late window while it is ACTIVE and its time is not over; a quote keeps its end.",
        tags,
        params: idParams("charge"),
        body: extendBody,
        response: { 200: successOf(chargeRow), ...extendRefusals },
      },
    },
    async ({ caller, params, body: { seconds } }) => {
      const { merchantId } = caller;
      const charge = await extendCharge(forMerchant(context, merchantId), {
        merchantId,
        id: params.id,
        seconds,
      });
      return ok(await toChangedRow(context, caller, charge));
    },
  );
}

function archiveRoute(app: ApiApp, context: ShowingContext): void {
  app.post(
    "/v1/deposit-addresses/:id/archive",
    {
      config: { scope: "charges:write", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "archiveDepositAddress",
        summary: "Archive a deposit address that is no longer needed",
        description: "Its status becomes ARCHIVED. Later payments to it are still recorded and announced.",
        tags,
        params: idParams("charge"),
        response: { 200: successOf(chargeRow) },
      },
    },
    async ({ caller, params }) => {
      const { merchantId } = caller;
      const charge = await archiveCharge(forMerchant(context, merchantId), { merchantId, id: params.id });
      return ok(await toChangedRow(context, caller, charge));
    },
  );
}

/**
 * A changed charge is returned whatever the state of its address, so that the caller learns of the change.
 */
async function toChangedRow(context: ShowingContext, caller: Caller, charge: Charge) {
  const [shown = charge] = await withRightAddresses(context.addresses, [charge]);
  return toRow(context, caller, shown);
}
