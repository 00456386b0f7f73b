import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { idOf } from "../../domain/ids.ts";
import type { ApiApp } from "../../http/api-app.ts";
import { created, createdOf, ok, successOf } from "../../http/envelope.ts";
import { refusal } from "../../http/openapi.ts";
import { idParams } from "../../http/validate.ts";
import { listMerchants } from "../../merchants/store.ts";
import { invite } from "../../people/members/links.ts";
import { offerResetTo, setDisabled } from "../../people/members/members.ts";
import { listPeople } from "../../people/members/membership-store.ts";
import { issuedInvitation, toIssuedInvitation } from "../../people/members/schema.ts";
import { actorOf } from "../../people/schema.ts";
import { countOpenSweeps, listHeldSweeps, sumGasOfWeek } from "../../settlement/watch-store.ts";
import type { Status } from "../../status/status.ts";
import { addMerchant, changeCap, type MerchantsContext, setSuspended } from "./change-merchants.ts";
import {
  capBody,
  endpointRow,
  invitationBody,
  merchantBody,
  merchantRow,
  personRow,
  reasonBody,
  resetBody,
  toEndpointRow,
  toMerchantRow,
  toPersonRow,
  toWire,
} from "./schema.ts";
import { listWorstEndpoints } from "./worst-endpoint-store.ts";

type Context = MerchantsContext & {
  readonly config: {
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly merchants: { readonly keyPepper: string };
  };
};

const tags = ["operator"];
const read = { access: "operator" } as const;
const write = { access: "operator", needsProof: true } as const;
const MOST_HELD = 100;

/** What operators see and change: the service, its merchants and its people. */
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
  listPeopleRoute(app, context);
  inviteRoute(app, context);
  personRoutes(app, context);
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
          "What the status page of METRICS_PORT shows of this process, with sweeps. Unknown parts are null.",
        tags,
        response: { 200: successOf(z.looseObject({ sweeps: z.looseObject({}) })) },
      },
    },
    async () => {
      const sweeps = {
        open: await countOpenSweeps(db),
        held: await listHeldSweeps(db, MOST_HELD),
        gasOfWeek: await sumGasOfWeek(db),
      };
      const status = toWire(await findStatus?.()) as Record<string, unknown> | null;
      return ok({ ...status, sweeps: toWire(sweeps) as Record<string, unknown> });
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
        response: { 200: successOf(z.array(endpointRow)) },
      },
    },
    async () => ok((await listWorstEndpoints(db)).map(toEndpointRow)),
  );
}

function listMerchantsRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/operator/merchants",
    {
      config: read,
      schema: {
        operationId: "listMerchants",
        summary: "List all merchants",
        description: "Newest first. The command line sets fee terms.",
        tags,
        response: { 200: successOf(z.array(merchantRow)) },
      },
    },
    async () => ok((await listMerchants(db)).map(toMerchantRow)),
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
          description: "What exists goes on: payments are credited and announced.",
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

function listPeopleRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/operator/people",
    {
      config: read,
      schema: {
        operationId: "listPeople",
        summary: "List all people",
        tags,
        response: { 200: successOf(z.array(personRow)) },
      },
    },
    async () => ok((await listPeople(db)).map(toPersonRow)),
  );
}

function inviteRoute(app: ApiApp, context: Context): void {
  app.post(
    "/dashboard/v1/operator/invitations",
    {
      config: write,
      schema: {
        operationId: "invitePerson",
        summary: "Invite a person as an operator, or to any merchant",
        description: "The answer has the link, once.",
        tags,
        body: invitationBody,
        response: { 201: createdOf(issuedInvitation) },
      },
    },
    async (request, reply) => {
      const { email, merchantId, role } = request.body;
      const place =
        merchantId === undefined || role === undefined
          ? {}
          : { place: { merchantId: idOf("merchant", merchantId), role } };
      const issued = await invite(context, actorOf(request), { email, ...place });
      return reply.code(201).send(created(toIssuedInvitation(issued)));
    },
  );
}

function personRoutes(app: ApiApp, context: Context): void {
  const params = idParams("person");
  for (const [verb, isDisabled] of [
    ["disable", true],
    ["enable", false],
  ] as const)
    app.post(
      `/dashboard/v1/operator/people/:id/${verb}`,
      {
        config: write,
        schema: {
          operationId: `${verb}Person`,
          summary: isDisabled
            ? "End all sessions of a person, and refuse sign-in"
            : "Let a person sign in again",
          tags,
          params,
          response: { 200: successOf(personRow) },
        },
      },
      async (request: FastifyRequest<{ Params: { id: string } }>) => {
        const change = { person: request.params.id, isDisabled };
        return ok(toPersonRow(await setDisabled(context, actorOf(request), change)));
      },
    );
  app.post(
    "/dashboard/v1/operator/people/:id/reset",
    {
      config: write,
      schema: {
        operationId: "resetPerson",
        summary: "Make a link by which a person sets a new password",
        description:
          "`secondFactor` removes the app, passkeys and recovery codes too. The answer has the link, once.",
        tags,
        params,
        body: resetBody,
        response: { 201: createdOf(issuedInvitation) },
      },
    },
    async (request, reply) => {
      const reset = { person: request.params.id, resetsSecondFactor: request.body.secondFactor };
      const issued = await offerResetTo(context, actorOf(request), reset);
      return reply.code(201).send(created(toIssuedInvitation(issued)));
    },
  );
}
