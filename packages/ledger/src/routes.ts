import { Readable } from "node:stream";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { pageFrom } from "@daric/http/pagination";
import { requireRight } from "@daric/http/session";
import type { ContextOf } from "@daric/runtime/context";
import { z } from "zod";
import { readMerchantBalances, readStatement } from "./read-statement.ts";
import { balanceRow, statementQuery, statementRow, toBalanceRow, toStatementRow } from "./schema.ts";
import { statementCsv } from "./statement-csv.ts";
import { inSnapshot } from "./store.ts";

const tags = ["settlement"];

type Context = Pick<ContextOf, "db" | "clock">;

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
          "A calendar month in UTC. `opening` + `confirmed` − `fees` − `settled` = `closing`, and the `amount` of all entries " +
          "adds up to the same. `page` and `limit` choose entries. `format=csv` answers all of them as `text/csv`, between the opening and the closing balances; `bom=0` writes them for programs.",
        tags,
        querystring: statementQuery,
        response: { 200: successOf(statementRow) },
      },
    },
    async ({ caller, query: { month, format, bom: reader, page, limit } }, reply) => {
      const { merchantId } = caller;
      const question = { merchantId, month };
      const db = context.db.forTenant(merchantId);
      if (format === "csv") {
        if (caller.session !== undefined) requireRight(caller.scopes, "exports:read");
        const name = `statement-${month}.csv`;
        reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`);
        // The type of the answer has no streams, but Fastify sends them unchanged.
        return reply.send(Readable.from(statementCsv(db, { ...question, reader })) as never);
      }
      const part = { now: context.clock.now(), ...pageFrom({ page, limit }) };
      const statement = await inSnapshot(db, (tx) => readStatement(tx, question, part));
      return ok(toStatementRow(statement));
    },
  );
}
