import { exportLines } from "@daric/books/files/export";
import { sendExport } from "@daric/books/files/send-export";
import { exportLists } from "@daric/books/lists/export-lists";
import type { ExportList, RowRange } from "@daric/books/lists/list-parts";
import { type ExportingContext, receiptRefusals, sendReceipt } from "@daric/books/routes";
import { exportQueries, rangedQuery, receiptQuery, splitQuery } from "@daric/books/schema";
import { findChargeOf } from "@daric/charges/charge";
import type { AcceptingContext } from "@daric/charges/context";
import { countCharges } from "@daric/charges/list-store";
import { seenBy } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { callerOfSession, requireRight } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { statementCsv } from "@daric/ledger/statement-csv";
import { getMerchant } from "@daric/merchants/get-merchant";
import { isMailConfigured } from "@daric/messages/announce";
import type { SealingContext } from "@daric/refunds/refund";
import { readSweepTerms, sumSmall } from "@daric/settlement/plan/terms-store";
import { findDelivery, listAttempts } from "@daric/webhooks/deliveries/delivery-log-store";
import { z } from "zod";
import { readInbox } from "../payments/inbox.ts";
import { readRefundTasks } from "../refunds/tasks.ts";
import { accountLists } from "./account-lists.ts";
import { readOrders, readSpeed, readVolumes } from "./home-store.ts";
import {
  homeRow,
  merchantQuery,
  sentRow,
  smallSumRow,
  statementExportQuery,
  sumOfDays,
  toDays,
  toSentRow,
  toSmallSumRow,
} from "./schema.ts";
import { findSent } from "./sent-store.ts";

const tags = ["work"];
const WEEK_DAYS = 7;

type DownloadingContext = AcceptingContext & ExportingContext;
type HomeContext = Pick<AcceptingContext, "db" | "clock"> &
  SealingContext &
  Parameters<typeof isMailConfigured>[0];

/** The routes of daily work: figures, small sums and exports. */
export function workRoutes(app: ApiApp, context: DownloadingContext & HomeContext): void {
  homeRoute(app, context);
  exportRoute(app, context);
  statementExportRoute(app, context);
  receiptRoute(app, context);
  sentRoute(app, context);
  smallSumsRoute(app, context);
}

function sentRoute(app: ApiApp, { db }: AcceptingContext): void {
  app.get(
    "/dashboard/v1/deliveries/:id/sent",
    {
      config: { scope: "bodies:read" },
      schema: {
        operationId: "retrieveSentWebhook",
        summary: "See what a delivery sent and what was answered",
        description:
          "The exact bytes of the body, the same in every attempt. Of each attempt its URL, all headers with the signatures, and the headers of the answer.",
        tags: ["webhooks"],
        params: idParams("delivery"),
        response: { 200: successOf(sentRow) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const { id } = request.params;
      const tenant = db.forTenant(merchantId);
      const delivery = await findDelivery(tenant, { merchantId, id });
      const sent = await findSent(tenant, { merchantId, id });
      if (delivery === undefined || sent === undefined) throw new ApiError("NOT_FOUND");
      return ok(toSentRow(sent, delivery, await listAttempts(tenant, { merchantId, ...delivery })));
    },
  );
}

function homeRoute(app: ApiApp, context: HomeContext): void {
  const { db, clock } = context;
  app.get(
    "/dashboard/v1/home",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "retrieveHome",
        summary: "See the figures of the last 30 days",
        description:
          "Volume is confirmed money by the day of its confirmation, orders by the day that they were made on. Days are those of the merchant's time zone.",
        tags,
        response: { 200: successOf(homeRow) },
      },
    },
    async (request) => {
      const caller = callerOfSession(request);
      const { merchantId, scopes } = caller;
      const seen = seenBy(caller);
      const tenant = db.forTenant(merchantId);
      const refunds = scopes.includes("refunds:read")
        ? await readRefundTasks({ ...context, db: tenant }, merchantId)
        : [];
      const { timeZone } = await getMerchant({ db: tenant }, merchantId);
      const question = { ...seen, timeZone, now: clock.now() };
      const volumes = await readVolumes(tenant, question);
      const orders = await readOrders(tenant, question);
      const days = toDays(question, volumes, orders);
      const speed = await readSpeed(tenant, question);
      return ok({
        as_of: question.now.toISOString(),
        today: sumOfDays(days, volumes, 1),
        week: sumOfDays(days, volumes, WEEK_DAYS),
        month: sumOfDays(days, volumes, days.length),
        open: await countCharges(tenant, { ...seen, kind: "order", status: "ACTIVE" }),
        abandoned: orders
          .filter(({ date }) => days.some((day) => day.date === date))
          .reduce((sum, { abandoned }) => sum + abandoned, 0),
        attention: (await readInbox(db, seen)).length + refunds.length,
        seconds_to_pay: speed.toPay,
        seconds_to_confirm: speed.toConfirm,
        mail_configured: isMailConfigured(context),
        days,
      });
    },
  );
}

function exportRoute(app: ApiApp, { db, config, downloads }: DownloadingContext): void {
  for (const [list, exported] of Object.entries({ ...exportLists, ...accountLists })) {
    const { scope, columns, open } = exported as ExportList<RowRange>;
    const query = (exportQueries as Readonly<Record<string, typeof rangedQuery>>)[list] ?? rangedQuery;
    app.get(
      `/dashboard/v1/exports/${list}`,
      {
        config: { scope: "exports:read" },
        schema: {
          operationId: `export${list[0]?.toUpperCase()}${list.slice(1)}`,
          summary: `Download ${list === "audit" ? "the audit log" : `the ${list}`}`,
          description:
            "Newest first (events, fees and journal: oldest first), streamed, made from `from` on and before `to`. The query may name the merchant, so that a link downloads it.",
          tags,
          querystring: query.extend(merchantQuery.shape),
          response: { 200: z.any() },
        },
      },
      async (request, reply) => {
        const { merchantId, scopes, session } = callerOfSession(request);
        requireRight(scopes, scope);
        const { file, filter } = splitQuery(request.query);
        const parts = open({ merchantId, scopes, config }, filter);
        const tenant = db.forTenant(merchantId);
        const lines = exportLines(tenant, { ...file, columns, parts });
        const exchange = {
          request,
          reply,
          db: tenant,
          downloads,
          merchantId,
          scopes,
          session,
          caller: session.id,
        };
        return sendExport(exchange, { list, format: file.format, lines });
      },
    );
  }
}

function statementExportRoute(app: ApiApp, { db, clock, downloads, papers }: DownloadingContext): void {
  app.get(
    "/dashboard/v1/exports/statement",
    {
      config: { scope: "exports:read" },
      schema: {
        operationId: "exportStatement",
        summary: "Download the statement of a month",
        description:
          "The files of `GET /v1/statements`. The query may name the merchant, so that a link downloads it.",
        tags,
        querystring: statementExportQuery,
        response: { 200: z.any() },
      },
    },
    async (request, reply) => {
      const { merchantId, scopes, session } = callerOfSession(request);
      requireRight(scopes, "settlements:read");
      const { month, bom: reader, separator, decimal, format = "csv", language = "en" } = request.query;
      const now = clock.now();
      const tenant = db.forTenant(merchantId);
      const question = { merchantId, month };
      const lines =
        format === "xlsx" || format === "pdf"
          ? wholeFile(() => papers.statement(tenant, question, { format, language, now }))
          : statementCsv(tenant, { ...question, reader, marks: { separator, decimal }, now });
      return sendExport(
        { request, reply, db: tenant, downloads, merchantId, scopes, session, caller: session.id },
        { list: "statement", name: `statement-${month}`, format: format === "json" ? "csv" : format, lines },
      );
    },
  );
}

async function* wholeFile(write: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await write();
}

function receiptRoute(app: ApiApp, context: DownloadingContext): void {
  app.get(
    "/dashboard/v1/payments/:id/receipt",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "downloadPaymentReceipt",
        summary: "Download the receipt of a payment",
        description:
          "The PDF of `GET /v1/deposit-addresses/:id/receipt`. The query may name the merchant, so that a link downloads it.",
        tags,
        params: idParams("charge"),
        querystring: receiptQuery.extend(merchantQuery.shape),
        response: { 200: z.any(), ...receiptRefusals },
      },
    },
    async (request, reply) => {
      const caller = callerOfSession(request);
      const { id } = request.params;
      if ((await findChargeOf(context, caller, id)) === undefined) throw new ApiError("NOT_FOUND");
      return sendReceipt(context, { request, reply, caller, id }, request.query);
    },
  );
}

function smallSumsRoute(app: ApiApp, { db, clock }: AcceptingContext): void {
  app.get(
    "/dashboard/v1/settlements/small",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "listSmallSums",
        summary: "See money that is too little for a sweep now",
        description:
          "One row for each currency with such money, by the prices and rates that the settlement role last found.",
        tags: ["settlement"],
        response: { 200: successOf(z.array(smallSumRow)) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const tenant = db.forTenant(merchantId);
      const rows = await Promise.all(
        (await readSweepTerms(db)).map(async (terms) =>
          toSmallSumRow(terms, await sumSmall(tenant, { merchantId, terms, now: clock.now() })),
        ),
      );
      return ok(rows.filter(({ addresses }) => addresses > 0));
    },
  );
}
