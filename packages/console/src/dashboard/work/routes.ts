import { getMerchant } from "@daric/merchants/get-merchant";
import type { AcceptingContext } from "@daric/charges/context";
import { countCharges } from "@daric/charges/list-store";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { statementCsv } from "@daric/ledger/statement-csv";
import { isMailConfigured } from "@daric/messages/announce";
import type { SealingContext } from "@daric/refunds/refund";
import { readSweepTerms, sumSmall } from "@daric/settlement/plan/terms-store";
import { findDelivery, listAttempts } from "@daric/webhooks/deliveries/delivery-log-store";
import { z } from "zod";
import { readInbox } from "../payments/inbox.ts";
import { readRefundTasks } from "../refunds/tasks.ts";
import type { Downloads } from "./downloads.ts";
import { exportLines } from "./export.ts";
import { exportColumns, exportedLists, readPartsOf } from "./export-lists.ts";
import { readOrders, readSpeed, readVolumes } from "./home-store.ts";
import {
  exportQuery,
  homeRow,
  sentRow,
  smallSumRow,
  statementExportQuery,
  sumOfDays,
  toDays,
  toSentRow,
  toSmallSumRow,
} from "./schema.ts";
import { sendExport } from "./send-export.ts";
import { findSent } from "./sent-store.ts";

const tags = ["work"];
const read = { scope: "charges:read" } as const;
const scopesOfLists = {
  payments: "charges:read",
  deposits: "deposits:read",
  refunds: "refunds:read",
  deliveries: "webhooks:read",
  settlements: "settlements:read",
  events: "webhooks:read",
  endpoints: "webhooks:read",
  keys: "account:read",
  wallets: "account:read",
  people: "account:read",
  invitations: "account:read",
  audit: "account:read",
} as const;
const WEEK_DAYS = 7;

type DownloadingContext = AcceptingContext & { readonly downloads: Downloads };
type HomeContext = Pick<AcceptingContext, "db" | "clock"> &
  SealingContext &
  Parameters<typeof isMailConfigured>[0];

/** The routes of daily work: figures, small sums and exports. */
export function workRoutes(app: ApiApp, context: DownloadingContext & HomeContext): void {
  homeRoute(app, context);
  exportRoute(app, context);
  statementExportRoute(app, context);
  sentRoute(app, context);
  smallSumsRoute(app, context);
}

function sentRoute(app: ApiApp, { db }: AcceptingContext): void {
  app.get(
    "/dashboard/v1/deliveries/:id/sent",
    {
      config: { scope: "webhooks:read" },
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
      config: read,
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
      const { merchantId, scopes } = callerOfSession(request);
      const tenant = db.forTenant(merchantId);
      const refunds = scopes.includes("refunds:read")
        ? await readRefundTasks({ ...context, db: tenant }, merchantId)
        : [];
      const { timeZone } = await getMerchant({ db: tenant }, merchantId);
      const question = { merchantId, timeZone, now: clock.now() };
      const volumes = await readVolumes(tenant, question);
      const orders = await readOrders(tenant, question);
      const days = toDays(question, volumes, orders);
      const speed = await readSpeed(tenant, question);
      return ok({
        as_of: question.now.toISOString(),
        today: sumOfDays(days, volumes, 1),
        week: sumOfDays(days, volumes, WEEK_DAYS),
        month: sumOfDays(days, volumes, days.length),
        open: await countCharges(tenant, { merchantId, kind: "order", status: "ACTIVE" }),
        abandoned: orders
          .filter(({ date }) => days.some((day) => day.date === date))
          .reduce((sum, { abandoned }) => sum + abandoned, 0),
        attention: (await readInbox(db, merchantId)).length + refunds.length,
        seconds_to_pay: speed.toPay,
        seconds_to_confirm: speed.toConfirm,
        mail_configured: isMailConfigured(context),
        days,
      });
    },
  );
}

function exportRoute(app: ApiApp, { db, config, downloads }: DownloadingContext): void {
  for (const list of exportedLists) {
    app.get(
      `/dashboard/v1/exports/${list}`,
      {
        config: {
          scope: scopesOfLists[list],
        },
        schema: {
          operationId: `export${list[0]?.toUpperCase()}${list.slice(1)}`,
          summary: `Download ${list === "audit" ? "the audit log" : `the ${list}`}`,
          description:
            "Newest first (events: oldest first), streamed, made from `from` on and before `to`. The query may name the merchant, so that a link downloads it.",
          tags,
          querystring: exportQuery,
          response: { 200: z.any() },
        },
      },
      async (request, reply) => {
        const { merchantId } = callerOfSession(request);
        const { format, bom: reader, from, to } = request.query;
        const parts = readPartsOf(list, { merchantId, config }, { from, to });
        const tenant = db.forTenant(merchantId);
        const lines = exportLines(tenant, { format, reader, columns: exportColumns[list], parts });
        const exchange = { request, reply, db: tenant, downloads, merchantId };
        return sendExport(exchange, { list, format, lines });
      },
    );
  }
}

function statementExportRoute(app: ApiApp, { db, downloads }: DownloadingContext): void {
  app.get(
    "/dashboard/v1/exports/statement",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "exportStatement",
        summary: "Download the statement of a month",
        description:
          "The CSV of `GET /v1/statements`. The query may name the merchant, so that a link downloads it.",
        tags,
        querystring: statementExportQuery,
        response: { 200: z.any() },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOfSession(request);
      const { month, bom: reader } = request.query;
      const tenant = db.forTenant(merchantId);
      const lines = statementCsv(tenant, { merchantId, month, reader });
      const name = `statement-${month}`;
      return sendExport(
        { request, reply, db: tenant, downloads, merchantId },
        { list: "statement", name, format: "csv", lines },
      );
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
