import type { Queryable } from "@daric/postgres/sql";
import { z } from "zod";
import type { ApiApp } from "../../../http/api-app.ts";
import { listMerchants } from "../../../merchants/store.ts";
import { listPeople } from "../../../people/members/membership-store.ts";
import type { ContextOf } from "../../../runtime/context.ts";
import { exportLines } from "../../work/export.ts";
import { pickColumns } from "../../work/export-lists.ts";
import { sendExport } from "../../work/send-export.ts";
import { toPersonRow } from "../people/schema.ts";
import { toMerchantRow, toWorstEndpointRow } from "../schema.ts";
import { listWorstEndpoints } from "../worst-endpoint-store.ts";
import { operatorExportQuery } from "./schema.ts";

type List = {
  readonly columns: readonly string[];
  readonly read: (db: Queryable) => Promise<readonly object[]>;
};

/** The lists of operators, as the API shows them. */
const lists: Readonly<Record<string, List>> = {
  merchants: {
    columns: [
      "id",
      "created_at",
      "name",
      "fee_mode",
      "fee_basis_points",
      "fee_fixed",
      "active_address_cap",
      "suspended_at",
      "updated_at",
    ],
    read: async (db) => (await listMerchants(db)).map(toMerchantRow),
  },
  people: {
    columns: ["id", "name", "email", "is_operator", "has_second_factor", "disabled_at", "memberships"],
    read: async (db) => (await listPeople(db)).map(toPersonRow),
  },
  endpoints: {
    columns: [
      "endpoint_id",
      "merchant_id",
      "url",
      "due_at",
      "waiting_seconds",
      "last_error",
      "last_status_code",
    ],
    read: async (db) => (await listWorstEndpoints(db)).map(toWorstEndpointRow),
  },
};

/** Downloads of the operators' lists. */
export function operatorExportRoutes(app: ApiApp, { db }: Pick<ContextOf, "db">): void {
  for (const [name, { columns, read }] of Object.entries(lists)) {
    app.get(
      `/dashboard/v1/operator/exports/${name}`,
      {
        config: { access: "operator" },
        schema: {
          operationId: `exportOperator${name[0]?.toUpperCase()}${name.slice(1)}`,
          summary: `Download the ${name} of the service`,
          tags: ["operator"],
          querystring: operatorExportQuery,
          response: { 200: z.any() },
        },
      },
      async (request, reply) => {
        const { format, bom: reader } = request.query;
        const parts = async () => ({
          rows: (await read(db)).map((row) => pickColumns(row, columns)),
          next: undefined,
        });
        const lines = exportLines(db, { format, reader, columns, parts });
        return sendExport({ request, reply, db }, { list: name, format, lines });
      },
    );
  }
}
