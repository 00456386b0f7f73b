import { type Caller, seenBy } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { type DepositId, idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { listed, listOf, ok, successOf } from "@daric/http/envelope";
import { pageFrom } from "@daric/http/pagination";
import { idParams } from "@daric/http/validate";
import type { Context } from "./context.ts";
import { findDeposit, listDeposits } from "./list-store.ts";
import { lookUpTransaction } from "./look-up-transaction.ts";
import { depositQuery, depositRow, lookupQuery, lookupRow, toDepositRow, toLookupRow } from "./schema.ts";
import { valueDeposits } from "./value-deposits.ts";

const tags = ["deposits"];

export function depositRoutes(app: ApiApp, context: Context): void {
  listRoute(app, context);
  retrieveRoute(app, context);
  lookupRoute(app, context);
}

function listRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/deposits",
    {
      config: { scope: "deposits:read", narrows: true },
      schema: {
        operationId: "listDeposits",
        summary: "List deposits",
        description: "Newest first. Every filter narrows the list further.",
        tags,
        querystring: depositQuery,
        response: { 200: listOf(depositRow) },
      },
    },
    async ({ caller, query }) => {
      const { page, limit, after, depositAddressId, ...filters } = query;
      const filter = { ...seenBy(caller), chargeId: depositAddressId, ...filters };
      const part = pageFrom({ page, limit, after });
      const { rows, total } = await listDeposits(db.forTenant(caller.merchantId), filter, part);
      const valued = await valueDeposits(db.forTenant(caller.merchantId), rows);
      return listed(valued.map(toDepositRow), { page, limit, total });
    },
  );
}

/** The deposit with this id that the caller may see. */
function findDepositOf(db: Context["db"], caller: Caller, id: DepositId) {
  return findDeposit(db.forTenant(caller.merchantId), { ...seenBy(caller), id });
}

function retrieveRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/deposits/:id",
    {
      config: {
        scope: "deposits:read",
        narrows: true,
        pathRow: {
          name: "deposit",
          exists: async ({ caller }, id) =>
            (await findDepositOf(db, caller, idOf("deposit", id))) !== undefined,
        },
      },
      schema: {
        operationId: "retrieveDeposit",
        summary: "Retrieve a deposit",
        description: "One transfer to one of your addresses, with how final it is.",
        tags,
        params: idParams("deposit"),
        response: { 200: successOf(depositRow) },
      },
    },
    async ({ caller, params }) => {
      const deposit = await findDepositOf(db, caller, params.id);
      if (deposit === undefined) throw new ApiError("NOT_FOUND");
      const [valued] = await valueDeposits(db.forTenant(caller.merchantId), [deposit]);
      return ok(toDepositRow(valued ?? { ...deposit, value: undefined }));
    },
  );
}

function lookupRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/lookup",
    {
      config: { scope: "deposits:read", narrows: true },
      schema: {
        operationId: "lookUpTransaction",
        summary: "Look up the deposits of a transaction",
        description:
          "Every deposit of yours in one transaction, with its deposit address. A transaction without any is an empty list.",
        tags,
        querystring: lookupQuery,
        response: { 200: listOf(lookupRow) },
      },
    },
    async ({ caller, query: { txHash, page, limit } }) => {
      const part = pageFrom({ page, limit });
      const filter = { ...seenBy(caller), txHash };
      const { rows, total } = await lookUpTransaction(db.forTenant(caller.merchantId), filter, part);
      return listed(rows.map(toLookupRow), { page, limit, total });
    },
  );
}
