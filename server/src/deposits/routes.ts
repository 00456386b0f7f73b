import { ApiError } from "../domain/errors.ts";
import { idOf } from "../domain/ids.ts";
import type { ApiApp } from "../http/api-app.ts";
import { listed, listOf, ok, successOf } from "../http/envelope.ts";
import { offsetOf } from "../http/pagination.ts";
import { idParams } from "../http/validate.ts";
import type { Context } from "./context.ts";
import { findDeposit, listDeposits } from "./list-store.ts";
import { depositQuery, depositRow, toDepositRow } from "./schema.ts";

const tags = ["deposits"];

/** List and retrieve deposits. */
export function depositRoutes(app: ApiApp, context: Context): void {
  listRoute(app, context);
  retrieveRoute(app, context);
}

function listRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/deposits",
    {
      config: { scope: "deposits:read" },
      schema: {
        summary: "List deposits",
        tags,
        querystring: depositQuery,
        response: { 200: listOf(depositRow) },
      },
    },
    async ({ caller, query }) => {
      const { page, limit, depositAddressId, ...filters } = query;
      const filter = { merchantId: caller.merchantId, chargeId: depositAddressId, ...filters };
      const { rows, total } = await listDeposits(db, filter, { limit, offset: offsetOf({ page, limit }) });
      return listed(rows.map(toDepositRow), { page, limit, total });
    },
  );
}

function retrieveRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/deposits/:id",
    {
      config: {
        scope: "deposits:read",
        pathExists: async ({ caller }, id) =>
          (await findDeposit(db, { merchantId: caller.merchantId, id: idOf("deposit", id) })) !== undefined,
      },
      schema: {
        summary: "Retrieve a deposit",
        tags,
        params: idParams("deposit"),
        response: { 200: successOf(depositRow) },
      },
    },
    async ({ caller, params }) => {
      const deposit = await findDeposit(db, { merchantId: caller.merchantId, id: params.id });
      if (deposit === undefined) throw new ApiError("NOT_FOUND");
      return ok(toDepositRow(deposit));
    },
  );
}
