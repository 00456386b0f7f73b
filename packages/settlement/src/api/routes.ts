import { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { listed, listOf, ok, successOf } from "@daric/http/envelope";
import { pageFrom } from "@daric/http/pagination";
import { idParams } from "@daric/http/validate";
import type { Context } from "../context.ts";
import { findSettlement, listSettlements, listSweeps } from "./list-store.ts";
import {
  settlementDetail,
  settlementQuery,
  settlementRow,
  toSettlementDetail,
  toSettlementRow,
} from "./schema.ts";

const tags = ["settlement"];

/** The routes of a merchant's settlements. */
export function settlementRoutes(app: ApiApp, context: Context): void {
  listRoute(app, context);
  retrieveRoute(app, context);
}

function listRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/settlements",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "listSettlements",
        summary: "List settlements",
        description: "Newest first. A settlement is the transfers of one plan to one of your wallets.",
        tags,
        querystring: settlementQuery,
        response: { 200: listOf(settlementRow) },
      },
    },
    async ({ caller: { merchantId }, query: { page, limit, after, ...filters } }) => {
      const part = pageFrom({ page, limit, after });
      const { rows, total } = await listSettlements(
        db.forTenant(merchantId),
        { merchantId, ...filters },
        part,
      );
      return listed(rows.map(toSettlementRow), { page, limit, total });
    },
  );
}

function retrieveRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/v1/settlements/:id",
    {
      config: {
        scope: "settlements:read",
        pathRow: {
          name: "settlement",
          exists: async ({ caller: { merchantId } }, id) =>
            (await findSettlement(db.forTenant(merchantId), { merchantId, id: idOf("settlement", id) })) !==
            undefined,
        },
      },
      schema: {
        operationId: "retrieveSettlement",
        summary: "Retrieve a settlement",
        description: "With its sweeps, their transactions on the chain, and what these have cost.",
        tags,
        params: idParams("settlement"),
        response: { 200: successOf(settlementDetail) },
      },
    },
    async ({ caller: { merchantId }, params: { id } }) => {
      const ref = { merchantId, id };
      const settlement = await findSettlement(db.forTenant(merchantId), ref);
      if (settlement === undefined) throw new ApiError("NOT_FOUND");
      return ok(toSettlementDetail(settlement, await listSweeps(db.forTenant(merchantId), ref)));
    },
  );
}
