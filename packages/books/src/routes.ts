import { Readable } from "node:stream";
import { chargeOfPath } from "@daric/charges/charge";
import type { AcceptingContext } from "@daric/charges/context";
import { type Caller, nameOfCaller } from "@daric/domain/caller";
import type { Id } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { refusal } from "@daric/http/openapi";
import { requireRight } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import type { SealingContext } from "@daric/refunds/refund";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Downloads } from "./files/downloads.ts";
import { exportLines } from "./files/export.ts";
import { auditDownload, sendExport } from "./files/send-export.ts";
import { exportLists } from "./lists/export-lists.ts";
import type { ExportList, RowRange } from "./lists/list-parts.ts";
import type { Papers } from "./papers/papers.ts";
import { exportQueries, receiptQuery, splitQuery } from "./schema.ts";

export type ExportingContext = Pick<AcceptingContext, "db"> & {
  readonly config: AcceptingContext["config"] & SealingContext["config"];
  readonly downloads: Downloads;
  readonly papers: Papers;
};

/** An answer that is a file, and no JSON. */
const file = z.any();

/** The lists of `/v1/exports`, and what each row of them is. */
const rowsOf = {
  payments: "A row for each payment, newest first, with its price, its value and their difference.",
  refunds: "A row for each refund, newest first, with the value of what it paid.",
  settlements: "A row for each settlement, newest first, with the values of what it paid and cost.",
  fees: "A row for each fee that the service charged or gave back, oldest first, with its deposit and its value.",
  journal:
    "The books in double entry: a row for each line of an entry, oldest first. The last row counts the entries whose value is not known yet.",
} as const;

/** The lists of a merchant as files, and its receipts. */
export function bookRoutes(app: ApiApp, context: ExportingContext): void {
  for (const kind of Object.keys(rowsOf) as (keyof typeof rowsOf)[]) exportRoute(app, context, kind);
  receiptRoute(app, context);
}

function receiptRoute(app: ApiApp, context: ExportingContext): void {
  app.get(
    "/v1/deposit-addresses/:id/receipt",
    {
      config: { scope: "charges:read", narrows: true, pathRow: chargeOfPath(context) },
      schema: {
        operationId: "downloadReceipt",
        summary: "Download the receipt of a payment as PDF",
        description:
          "The price and the payments, with the value of each transfer in the currency of your books. It is a receipt of payment, not a tax invoice.",
        tags: ["books"],
        params: idParams("charge"),
        querystring: receiptQuery,
        response: { 200: file, ...receiptRefusals },
      },
    },
    (request, reply) =>
      sendReceipt(context, { request, reply, caller: request.caller, id: request.params.id }, request.query),
  );
}

/** The refusals of a route that sends a receipt. */
export const receiptRefusals = {
  409: refusal("NOTHING_RECEIVED: no money of the payment is confirmed."),
  422: refusal("EXPORT_TOO_LARGE: more than 5,000 transfers came. Also VALIDATION_ERROR."),
};

type ReceiptExchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Pick<Caller, "merchantId" | "session">;
  readonly id: Id<"charge">;
};

/** Answers with the receipt of a payment as PDF. The audit log has the person that asked. @throws as {@link Papers.receipt}. */
export async function sendReceipt(
  { db, papers }: Pick<ExportingContext, "db" | "papers">,
  { request, reply, caller, id }: ReceiptExchange,
  { language }: z.infer<typeof receiptQuery>,
): Promise<never> {
  const { merchantId, session } = caller;
  const tenant = db.forTenant(merchantId);
  const receipt = await papers.receipt(tenant, { merchantId, id }, language);
  await auditDownload({ request, db: tenant, merchantId, session }, "receipt");
  reply.type("application/pdf").header("content-disposition", `attachment; filename="receipt-${id}.pdf"`);
  // The type of the answer has no streams, but Fastify sends them unchanged.
  return reply.send(Readable.from([receipt]) as never) as never;
}

function exportRoute(
  app: ApiApp,
  { db, config, downloads }: ExportingContext,
  kind: keyof typeof rowsOf,
): void {
  const list = exportLists[kind] as ExportList<RowRange>;
  app.get(
    `/v1/exports/${kind}`,
    {
      config: { scope: list.scope },
      schema: {
        operationId: `export${kind[0]?.toUpperCase()}${kind.slice(1)}`,
        summary: `Download ${kind === "journal" ? "the journal" : kind} as a file`,
        description:
          `${rowsOf[kind]} Made from \`from\` on and before \`to\`. CSV and JSON stream any number of rows, and XLSX has ` +
          "at most 100,000. `bom=0` writes CSV for programs.",
        tags: ["books"],
        querystring: exportQueries[kind],
        response: {
          200: file,
          422: refusal(
            "EXPORT_TOO_LARGE: an XLSX file would have more than 100,000 rows. Also VALIDATION_ERROR.",
          ),
        },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      if (caller.session !== undefined) requireRight(caller.scopes, "exports:read");
      const { merchantId, scopes, session } = caller;
      const { file: asked, filter } = splitQuery(request.query);
      const tenant = db.forTenant(merchantId);
      const parts = list.open({ merchantId, scopes, config }, filter);
      const lines = exportLines(tenant, { ...asked, columns: list.columns, parts });
      const exchange = { request, reply, db: tenant, downloads, merchantId, scopes, session };
      return sendExport(
        { ...exchange, caller: nameOfCaller(caller) },
        { list: kind, format: asked.format, lines },
      );
    },
  );
}
