import { type Caller, isSeen, seenBy } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { idOf, type PaymentLinkId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, listed, listOf, ok, successOf, warned } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import type { httpSettings } from "@daric/http/settings";
import { idParams } from "@daric/http/validate";
import { isMailConfigured, type MailContext } from "@daric/messages/announce";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import { createLink } from "./create-link.ts";
import type { PaymentLink } from "./payment-link.ts";
import {
  linkChangeBody,
  linkQuery,
  newLinkBody,
  paymentLinkRow,
  toLinkChange,
  toLinkRow,
  toLinkTerms,
} from "./schema.ts";
import { findLink, listLinks } from "./store.ts";
import { updateLink } from "./update-link.ts";

type ApiContext = ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }> & {
  /** the key of the checksum in every token */
  readonly checkoutKey: Buffer;
} & MailContext;

const tags = ["payment links"];

/** Create, list, retrieve and change payment links. */
export function paymentLinkRoutes(app: ApiApp, context: ApiContext): void {
  createRoute(app, context);
  listRoute(app, context);
  retrieveRoute(app, context);
  changeRoute(app, context);
}

function createRoute(app: ApiApp, context: ApiContext): void {
  app.post(
    "/v1/payment-links",
    {
      config: { scope: "charges:write", narrows: true },
      schema: {
        operationId: "createPaymentLink",
        summary: "Create a payment link",
        description:
          "A template of orders with a public page at `url`. Each click there makes an order; looking makes none. Without `amount` the payer chooses one within `minAmount` and `maxAmount`.",
        tags,
        body: newLinkBody,
        response: {
          201: createdOf(paymentLinkRow),
          404: refusal("SETTLEMENT_ACCOUNT_NOT_FOUND"),
          422: refusal(
            "VALIDATION_ERROR with every failing field in `details`, or SETTLEMENT_ACCOUNT_DISABLED.",
          ),
        },
      },
    },
    async ({ caller: { merchantId, session }, body }, reply) => {
      const db = context.db.forTenant(merchantId);
      const { checkoutKey } = context;
      const maker = { merchantId, createdBy: session?.personId ?? null };
      const link = await createLink({ db, checkoutKey, now: new Date() }, maker, toLinkTerms(body));
      return reply.code(201).send(warned(created(rowOf(context, link)), warningsOf(context, link)));
    },
  );
}

function listRoute(app: ApiApp, context: ApiContext): void {
  app.get(
    "/v1/payment-links",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "listPaymentLinks",
        summary: "List payment links",
        description: "Newest first. The orders of one link are `GET /v1/deposit-addresses?paymentLinkId=`.",
        tags,
        querystring: linkQuery,
        response: { 200: listOf(paymentLinkRow) },
      },
    },
    async ({ caller, query }) => {
      const filter = { ...seenBy(caller), status: query.status };
      const { rows, total } = await listLinks(
        context.db.forTenant(caller.merchantId),
        filter,
        pageFrom(query),
      );
      return listed(
        rows.map((link) => rowOf(context, link)),
        { ...query, total },
      );
    },
  );
}

/** The link with this id that the caller may see. */
async function findLinkOf({ db }: ApiContext, caller: Caller, id: PaymentLinkId) {
  const { merchantId } = caller;
  const link = await findLink(db.forTenant(merchantId), { merchantId, id });
  return link !== undefined && isSeen(seenBy(caller), link) ? link : undefined;
}

/** The link in a route's path: its name in messages, and the check that the caller may see it. */
function linkOfPath(context: ApiContext) {
  const find = ({ caller }: { readonly caller: Caller }, id: string) =>
    findLinkOf(context, caller, idOf("paymentLink", id));
  return {
    name: "payment link",
    exists: async (...path: Parameters<typeof find>) => (await find(...path)) !== undefined,
    valuesOf: async (...path: Parameters<typeof find>) => {
      const link = await find(...path);
      return link && valuesOf(link);
    },
  };
}

/** The values that a change of a link changes; the audit log keeps them. */
function valuesOf({ title, description, isActive, maxPayments, expiresAt, updatedAt }: PaymentLink): object {
  return { title, description, isActive, maxPayments, expiresAt, updatedAt };
}

function retrieveRoute(app: ApiApp, context: ApiContext): void {
  app.get(
    "/v1/payment-links/:id",
    {
      config: { scope: "charges:read", narrows: true, pathRow: linkOfPath(context) },
      schema: {
        operationId: "retrievePaymentLink",
        summary: "Retrieve a payment link",
        description: "One payment link, with how many of its orders are open and paid.",
        tags,
        params: idParams("paymentLink"),
        response: { 200: successOf(paymentLinkRow) },
      },
    },
    async ({ caller, params: { id } }) => {
      const link = await findLinkOf(context, caller, id);
      if (link === undefined) throw new ApiError("NOT_FOUND");
      return ok(rowOf(context, link));
    },
  );
}

function changeRoute(app: ApiApp, context: ApiContext): void {
  app.patch(
    "/v1/payment-links/:id",
    {
      config: { scope: "charges:write", narrows: true, pathRow: linkOfPath(context) },
      schema: {
        operationId: "updatePaymentLink",
        summary: "Change or pause a payment link",
        description:
          "A missing field stays as it is. A change never reaches an order that exists. `isActive: false` pauses the link.",
        tags,
        params: idParams("paymentLink"),
        body: linkChangeBody,
        response: {
          200: successOf(paymentLinkRow),
          409: refusal("LINK_CLOSED: the operator closed the link, and only the operator can give it back."),
        },
      },
    },
    async ({ caller: { merchantId }, params: { id }, body }) => {
      const db = context.db.forTenant(merchantId);
      const link = await updateLink({ db, now: new Date() }, { merchantId, id }, toLinkChange(body));
      return warned(ok(rowOf(context, link)), warningsOf(context, link));
    },
  );
}

/** The warning of a link whose page cannot ask what it is to ask. */
function warningsOf(context: ApiContext, { ask }: PaymentLink): string[] {
  return !ask.includes("email") || isMailConfigured(context)
    ? []
    : ["ask has email, but this service has no mail server: the page does not ask for it"];
}

function rowOf({ config }: ApiContext, link: PaymentLink) {
  return toLinkRow(link, { publicBaseUrl: config.http.publicBaseUrl, now: new Date() });
}
