import { createRefusals, warningsOfEmail } from "@daric/charges/api/routes";
import { createdCharge, toCreatedCharge } from "@daric/charges/api/row/schema";
import { toChargeRequest } from "@daric/charges/api/schema";
import { findChargeOf } from "@daric/charges/charge";
import type { AcceptingContext } from "@daric/charges/context";
import { createCharge } from "@daric/charges/create/create-charge";
import type { IssuingContext } from "@daric/charges/create/write-charge";
import { listPayments } from "@daric/charges/list-charges";
import { seenBy } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import { idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf, warned, warnings } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { callerOfSession, requireRight } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { z } from "zod";
import { auditAct } from "../../people/audit-act.ts";
import { actorOf } from "../../people/schema.ts";
import { addNote, decide, readInbox } from "./inbox.ts";
import {
  decisionBody,
  inboxRow,
  newPaymentBody,
  noteBody,
  noteRow,
  paymentsAnswer,
  paymentsQuery,
  toInboxRow,
  toNoteRow,
  toShortRow,
} from "./schema.ts";

type CreatingContext = IssuingContext & {
  readonly config: {
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly webhooks: { readonly masterKey: Buffer };
  };
} & Parameters<typeof warningsOfEmail>[0];

/** The 422 of people names rules in their language, as every route of the dashboard does. */
const { 422: _, ...refusals } = createRefusals;

const tags = ["payments"];
const read = { scope: "charges:read", narrows: true } as const;
const write = { scope: "charges:write", narrows: true } as const;

/** Payments, those that need a decision, and the decisions. */
export function paymentRoutes(app: ApiApp, context: AcceptingContext & CreatingContext): void {
  listRoute(app, context);
  createRoute(app, context);
  inboxRoute(app, context);
  decideRoute(app, context);
  noteRoute(app, context);
}

function listRoute(app: ApiApp, { db }: AcceptingContext): void {
  app.get(
    "/dashboard/v1/payments",
    {
      config: read,
      schema: {
        operationId: "listPayments",
        summary: "List payments by filters that `/v1` does not have",
        description:
          "Newest first; with `reference` the greatest reference first. Made from `from` on and before `to`. A page may have fewer rows than asked for, or none: `meta.next` leads on.",
        tags,
        querystring: paymentsQuery,
        response: { 200: paymentsAnswer },
      },
    },
    async (request) => {
      const caller = callerOfSession(request);
      const { limit, after, ...wanted } = request.query;
      const filter = { ...wanted, ...seenBy(caller) };
      const tenant = db.forTenant(caller.merchantId);
      const { rows, total, next } = await listPayments(tenant, filter, { limit, after });
      return { ...ok(rows.map(toShortRow)), meta: { total, next: next ?? null } };
    },
  );
}

function createRoute(app: ApiApp, context: CreatingContext): void {
  app.post(
    "/dashboard/v1/payments",
    {
      config: write,
      schema: {
        operationId: "createPayment",
        summary: "Create an order or an open address, with a lifetime of its own",
        description: "As `POST /v1/deposit-addresses`, but `lifetimeSeconds` says how long it can be paid.",
        tags,
        body: newPaymentBody,
        response: { 201: createdOf(createdCharge).extend({ warnings }), ...refusals },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const caller = callerOfSession(request);
      const { lifetimeSeconds } = body;
      const { http, webhooks } = context.config;
      const asked = toChargeRequest(body, caller, webhooks.masterKey);
      const charge = await createCharge(context, { ...asked, lifetimeSeconds });
      await auditAct(context.db, actorOf(request), {
        action: "createDepositAddress",
        subject: `deposit address ${charge.id}`,
        after: body,
        merchantId: caller.merchantId,
      });
      const answer = created(toCreatedCharge(charge, http.publicBaseUrl));
      return reply.code(201).send(warned(answer, warningsOfEmail(context, body)));
    },
  );
}

function inboxRoute(app: ApiApp, { db }: AcceptingContext): void {
  app.get(
    "/dashboard/v1/inbox",
    {
      config: read,
      schema: {
        operationId: "listInbox",
        summary: "List the payments that need a decision",
        description:
          "Newest first, at most 500, of the newest 5,000 deposits. A decision takes a payment out until another deposit comes.",
        tags,
        response: { 200: successOf(z.array(inboxRow)) },
      },
    },
    async (request) => {
      return ok((await readInbox(db, seenBy(callerOfSession(request)))).map(toInboxRow));
    },
  );
}

function decideRoute(app: ApiApp, context: AcceptingContext): void {
  app.post(
    "/dashboard/v1/inbox/:id/decide",
    {
      config: write,
      schema: {
        operationId: "decidePayment",
        summary: "Decide about a payment, and say why",
        description:
          "`accept`, `extend` (by `seconds`) and `archive` do what they do under `/v1`; `dismiss` only takes it out of the inbox.",
        tags,
        params: idParams("charge"),
        body: decisionBody,
        response: {
          201: createdOf(noteRow),
          409: refusal(
            "ORDER_ALREADY_PAID, NOTHING_RECEIVED or ORDER_CLOSED, as of the operation under `/v1`.",
          ),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOfSession(request);
      const { merchantId, scopes } = caller;
      const { body, params } = request;
      if (body.decision === "accept") requireRight(scopes, "orders:accept");
      if (body.decision === "extend" && body.seconds === undefined)
        throw new ApiError("VALIDATION_ERROR", {
          details: [{ path: "seconds", message: "must say by how long", rule: fieldRule("required") }],
        });
      if ((await findChargeOf(context, caller, params.id)) === undefined) throw new ApiError("NOT_FOUND");
      const tenant = { ...context, db: context.db.forTenant(merchantId) };
      const note = await decide(tenant, actorOf(request), { merchantId, id: params.id, ...body });
      return reply.code(201).send(created(toNoteRow(note)));
    },
  );
}

function noteRoute(app: ApiApp, context: AcceptingContext): void {
  app.post(
    "/dashboard/v1/payments/:id/notes",
    {
      config: { scope: "notes:write" },
      schema: {
        operationId: "createNote",
        summary: "Write a note about a payment",
        description: "Only people of the merchant read it. It cannot be changed.",
        tags,
        params: idParams("charge"),
        body: noteBody,
        response: { 201: createdOf(noteRow) },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOfSession(request);
      const ref = { merchantId, id: idOf("charge", request.params.id) };
      const tenant = { db: context.db.forTenant(merchantId) };
      const note = await addNote(tenant, actorOf(request), { ...ref, text: request.body.text });
      return reply.code(201).send(created(toNoteRow(note)));
    },
  );
}
