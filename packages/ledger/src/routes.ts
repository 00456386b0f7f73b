import { Readable } from "node:stream";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { pageFrom } from "@daric/http/pagination";
import { requireRight } from "@daric/http/session";
import type { Database } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import { z } from "zod";
import type { MonthOfMerchant } from "./month.ts";
import { readMerchantBalances, readStatement } from "./read-statement.ts";
import { balanceRow, statementQuery, statementRow, toBalanceRow, toStatementRow } from "./schema.ts";
import { statementCsv } from "./statement-csv.ts";
import { inSnapshot } from "./store.ts";

const tags = ["settlement"];

type Context = Pick<ContextOf, "db" | "clock"> & {
  /** writes the statement of a month as a file for people. @throws EXPORT_TOO_LARGE */
  readonly writeStatement: (
    db: Database,
    question: MonthOfMerchant,
    file: { readonly format: "xlsx" | "pdf"; readonly language: string; readonly now: Date },
  ) => Promise<Uint8Array>;
};

const mediaTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
} as const;

/** The routes of a merchant's balances and statements. */
export function ledgerRoutes(app: ApiApp, context: Context): void {
  balancesRoute(app, context);
  statementRoute(app, context);
}

function balancesRoute(app: ApiApp, context: Context): void {
  app.get(
    "/v1/balances",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "listBalances",
        summary: "See what you are owed and where it is",
        description:
          "One row for each currency: `confirmed` − `fees` = `settled` + `in_flight` + `waiting`. " +
          "`waiting_for` names what you wait for by the reason why.",
        tags,
        response: { 200: successOf(z.array(balanceRow)) },
      },
    },
    async ({ caller: { merchantId } }) => {
      const db = context.db.forTenant(merchantId);
      const balances = await inSnapshot(db, (tx) => readMerchantBalances(tx, merchantId));
      return ok(balances.map(toBalanceRow));
    },
  );
}

function statementRoute(app: ApiApp, context: Context): void {
  app.get(
    "/v1/statements",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "retrieveStatement",
        summary: "Retrieve the statement of a month",
        description:
          "A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` − `fees` − `settled` = `closing`, and the `amount` of all entries " +
          "adds up to the same. `page` and `limit` choose entries. `format=csv` answers all of them as `text/csv`, between the opening and the closing balances; `bom=0` writes them for programs. " +
          "The balances of a month that is not over are `so_far` in place of `closing`. " +
          "`format=xlsx` has up to 100,000 entries, and `format=pdf` up to 5,000, for people.",
        tags,
        querystring: statementQuery,
        response: {
          200: successOf(statementRow),
          422: refusal(
            "EXPORT_TOO_LARGE: the month has too many entries for the format. Also VALIDATION_ERROR.",
          ),
        },
      },
    },
    async ({ caller, query }, reply) => {
      const { merchantId } = caller;
      const { month, format, bom: reader, separator, decimal, language = "en", page, limit } = query;
      const now = context.clock.now();
      const question = { merchantId, month };
      const db = context.db.forTenant(merchantId);
      const isFile = format !== undefined && format !== "json";
      if (isFile && caller.session !== undefined) requireRight(caller.scopes, "exports:read");
      if (format === "csv") {
        const name = `statement-${month}.csv`;
        reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`);
        // The type of the answer has no streams, but Fastify sends them unchanged.
        const lines = statementCsv(db, { ...question, reader, marks: { separator, decimal }, now });
        return reply.send(Readable.from(lines) as never);
      }
      if (format === "xlsx" || format === "pdf") {
        const file = await context.writeStatement(db, question, { format, language, now });
        const name = `statement-${month}.${format}`;
        reply.type(mediaTypes[format]).header("content-disposition", `attachment; filename="${name}"`);
        return reply.send(Readable.from([file]) as never);
      }
      const part = { now, ...pageFrom({ page, limit }) };
      const statement = await inSnapshot(db, (tx) => readStatement(tx, question, part));
      return ok(toStatementRow(statement));
    },
  );
}
