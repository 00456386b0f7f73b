import type { Context } from "../context.ts";
import { ApiError } from "../domain/errors.ts";
import type { ApiApp } from "../http/api-app.ts";
import { listed, listOf, ok, successOf } from "../http/envelope.ts";
import { offsetOf } from "../http/pagination.ts";
import { idParams } from "../http/validate.ts";
import { countDeposits, findDeposit, listDeposits } from "./list-store.ts";
import { depositQuery, depositRow, toDepositRow } from "./schema.ts";

/** GET /v1/deposits and GET /v1/deposits/:id. */
export function depositRoutes(context: Context): (app: ApiApp) => void {
  const { db } = context;
  return (app) => {
    app.get(
      "/v1/deposits",
      {
        config: { scope: "deposits:read" },
        schema: {
          summary: "List deposits",
          tags: ["deposits"],
          querystring: depositQuery,
          response: { 200: listOf(depositRow) },
        },
      },
      async (request) => {
        const { page, limit, depositAddressId, ...filters } = request.query;
        const filter = { merchantId: request.caller.merchantId, chargeId: depositAddressId, ...filters };
        const [rows, total] = await Promise.all([
          listDeposits(db, filter, { limit, offset: offsetOf({ page, limit }) }),
          countDeposits(db, filter),
        ]);
        return listed(rows.map(toDepositRow), { page, limit, total });
      },
    );
    app.get(
      "/v1/deposits/:id",
      {
        config: {
          scope: "deposits:read",
          pathExists: async ({ caller: { merchantId } }, id) =>
            (await findDeposit(db, { merchantId, id })) !== undefined,
        },
        schema: {
          summary: "Retrieve a deposit",
          tags: ["deposits"],
          params: idParams,
          response: { 200: successOf(depositRow) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const deposit = await findDeposit(db, { merchantId: request.caller.merchantId, id });
        if (deposit === undefined) throw new ApiError("NOT_FOUND");
        return ok(toDepositRow(deposit));
      },
    );
  };
}
