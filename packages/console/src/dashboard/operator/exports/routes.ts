import type { Downloads } from "@daric/books/files/downloads";
import { exportLines, PART, type ReadPart } from "@daric/books/files/export";
import { sendExport } from "@daric/books/files/send-export";
import { pickColumns } from "@daric/books/lists/list-parts";
import { fileQuery, splitQuery } from "@daric/books/schema";
import type { ApiApp } from "@daric/http/api-app";
import { listMerchants } from "@daric/merchants/store";
import type { Queryable } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import { z } from "zod";
import { listPeople } from "../../../people/members/membership-store.ts";
import { toPersonRow } from "../people/schema.ts";
import { toMerchantRow, toWorstEndpointRow } from "../schema.ts";
import { listWorstEndpoints } from "../worst-endpoint-store.ts";

type Context = Pick<ContextOf, "db"> & { readonly downloads: Downloads };
type List = {
  readonly columns: readonly string[];
  readonly read: (db: Queryable, after: string | null) => Promise<readonly object[]>;
  /** where the next part begins, from the last row; a list without it has one part */
  readonly placeOf?: (row: Readonly<Record<string, unknown>>) => string;
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
    read: async (db, after) => (await listMerchants(db, { limit: PART, after })).map(toMerchantRow),
    placeOf: ({ id }) => String(id),
  },
  people: {
    columns: ["id", "name", "email", "is_operator", "has_second_factor", "disabled_at", "memberships"],
    read: async (db, after) => (await listPeople(db, { limit: PART, after })).map(toPersonRow),
    placeOf: ({ email }) => String(email),
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

function partsOf({ columns, read, placeOf }: List): ReadPart {
  return async (db, after) => {
    const rows = (await read(db, after ?? null)).map((row) => pickColumns(row, columns));
    const last = rows.at(-1);
    return { rows, next: rows.length < PART || last === undefined ? undefined : placeOf?.(last) };
  };
}

/** Downloads of the operators' lists. */
export function operatorExportRoutes(app: ApiApp, { db, downloads }: Context): void {
  for (const [name, list] of Object.entries(lists)) {
    app.get(
      `/dashboard/v1/operator/exports/${name}`,
      {
        config: { access: "operator" },
        schema: {
          operationId: `exportOperator${name[0]?.toUpperCase()}${name.slice(1)}`,
          summary: `Download the ${name} of the service`,
          tags: ["operator"],
          querystring: fileQuery,
          response: { 200: z.any() },
        },
      },
      async (request, reply) => {
        const { file } = splitQuery(request.query);
        const { session } = request;
        const lines = exportLines(db, { ...file, columns: list.columns, parts: partsOf(list) });
        const exchange = { request, reply, db, downloads, session, caller: session.id };
        return sendExport(exchange, { list: name, format: file.format, lines });
      },
    );
  }
}
