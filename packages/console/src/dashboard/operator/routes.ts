import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { idParams } from "@daric/http/validate";
import { listMerchants } from "@daric/merchants/store";
import { countOpenSweeps, listHeldSweeps, sumGasOfWeek } from "@daric/settlement/worker/watch-store";
import { z } from "zod";
import { actorOf } from "../../people/schema.ts";
import { type Status, toWire } from "../../status/status.ts";
import {
  addMerchant,
  type MerchantsContext as Context,
  changeCap,
  setSuspended,
} from "./change-merchants.ts";
import { findChecks } from "./find-checks.ts";
import {
  capBody,
  merchantBody,
  merchantRow,
  reasonBody,
  toMerchantRow,
  toWorstEndpointRow,
  worstEndpointRow,
} from "./schema.ts";
import { listWorstEndpoints } from "./worst-endpoint-store.ts";

const tags = ["operator"];
const read = { access: "operator" } as const;
const write = { access: "operator", needsProof: true } as const;
const MAX_HELD = 100;
const MAX_MERCHANTS = 500;

/** The routes of operators: the service and its merchants. */
export function operatorRoutes(
  app: ApiApp,
  context: Context,
  findStatus: (() => Promise<Status>) | undefined,
): void {
  overviewRoute(app, context, findStatus);
  endpointsRoute(app, context);
  listMerchantsRoute(app, context);
  merchantRoutes(app, context);
  suspendRoutes(app, context);
}

function overviewRoute(app: ApiApp, { db }: Context, findStatus: (() => Promise<Status>) | undefined): void {
  app.get(
    "/dashboard/v1/operator/overview",
    {
      config: read,
      schema: {
        operationId: "retrieveOverview",
        summary: "See how the service is",
        description:
          "The state of this process as / on METRICS_PORT has it, with sweeps, whether another process reads the chain, and what the other processes check. Unknown parts are null.",
        tags,
        response: { 200: successOf(z.looseObject({ sweeps: z.looseObject({}) })) },
      },
    },
    async () => {
      const sweeps = {
        open: await countOpenSweeps(db),
        held: (await listHeldSweeps(db, MAX_HELD)).map(({ units, ...row }) => ({ ...row, amount: units })),
        gasOfWeek: await sumGasOfWeek(db),
      };
      const status = await findStatus?.();
      const checked = status && { ...status, checks: await findChecks(db, status) };
      return ok({
        ...(toWire(checked) as Record<string, unknown> | null),
        sweeps: toWire(sweeps) as Record<string, unknown>,
      });
    },
  );
}

function endpointsRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/operator/endpoints",
    {
      config: read,
      schema: {
        operationId: "listWorstEndpoints",
        summary: "List the webhook endpoints whose deliveries wait longest",
        tags,
        response: { 200: successOf(z.array(worstEndpointRow)) },
      },
    },
    async () => ok((await listWorstEndpoints(db)).map(toWorstEndpointRow)),
  );
}

function listMerchantsRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/operator/merchants",
    {
      config: read,
      schema: {
        operationId: "listMerchants",
        summary: "List the newest 500 merchants",
        description: "The download has all of them. The command line sets fee terms.",
        tags,
        response: { 200: successOf(z.array(merchantRow)) },
      },
    },
    async () => ok((await listMerchants(db, { limit: MAX_MERCHANTS })).map(toMerchantRow)),
  );
}

function merchantRoutes(app: ApiApp, context: Context): void {
  app.post(
    "/dashboard/v1/operator/merchants",
    {
      config: write,
      schema: {
        operationId: "createMerchant",
        summary: "Create a merchant",
        tags,
        body: merchantBody,
        response: { 201: createdOf(merchantRow) },
      },
    },
    async (request, reply) => {
      const merchant = await addMerchant(context, actorOf(request), request.body);
      return reply.code(201).send(created(toMerchantRow(merchant)));
    },
  );
  app.patch(
    "/dashboard/v1/operator/merchants/:id",
    {
      config: write,
      schema: {
        operationId: "updateMerchant",
        summary: "Change the cap of active addresses",
        tags,
        params: idParams("merchant"),
        body: capBody,
        response: { 200: successOf(merchantRow), 409: refusal("CHANGED_MEANWHILE") },
      },
    },
    async (request) => {
      const change = { id: request.params.id, ...request.body };
      return ok(toMerchantRow(await changeCap(context, actorOf(request), change)));
    },
  );
}

function suspendRoutes(app: ApiApp, context: Context): void {
  for (const [verb, isSuspended] of [
    ["suspend", true],
    ["resume", false],
  ] as const)
    app.post(
      `/dashboard/v1/operator/merchants/:id/${verb}`,
      {
        config: write,
        schema: {
          operationId: `${verb}Merchant`,
          summary: isSuspended ? "Stop new orders of a merchant" : "Allow new orders of a merchant again",
          description: "Existing charges continue: their payments are credited and announced.",
          tags,
          params: idParams("merchant"),
          body: reasonBody,
          response: { 200: successOf(merchantRow) },
        },
      },
      async (request) => {
        const change = { id: request.params.id, isSuspended, ...request.body };
        return ok(toMerchantRow(await setSuspended(context, actorOf(request), change)));
      },
    );
}
