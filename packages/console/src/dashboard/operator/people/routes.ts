import { idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { idParams } from "@daric/http/validate";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { LinkContext as Context } from "../../../people/context.ts";
import { listOpenLinks } from "../../../people/members/link-store.ts";
import { invite } from "../../../people/members/links.ts";
import { offerResetTo, setDisabled, withdraw } from "../../../people/members/members.ts";
import { listPeople } from "../../../people/members/membership-store.ts";
import {
  issuedInvitation,
  serviceLinkRow,
  toIssuedInvitation,
  toServiceLinkRow,
} from "../../../people/members/schema.ts";
import { actorOf } from "../../../people/schema.ts";
import { personInvitationBody, personRow, resetBody, toPersonRow } from "./schema.ts";

const tags = ["operator"];
const read = { access: "operator" } as const;
const write = { access: "operator", needsProof: true } as const;
const MAX_PEOPLE = 500;

/** The people of the service, as operators see and change them. */
export function peopleOfServiceRoutes(app: ApiApp, context: Context): void {
  listPeopleRoute(app, context);
  inviteRoute(app, context);
  personRoutes(app, context);
  linkRoutes(app, context);
}

function listPeopleRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/operator/people",
    {
      config: read,
      schema: {
        operationId: "listPeople",
        summary: "List the first 500 people by e-mail",
        description: "The download has all of them.",
        tags,
        response: { 200: successOf(z.array(personRow)) },
      },
    },
    async () => ok((await listPeople(db, { limit: MAX_PEOPLE })).map(toPersonRow)),
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
        body: personInvitationBody,
        response: {
          201: createdOf(issuedInvitation),
          404: refusal("NOT_FOUND for an unknown merchant."),
        },
      },
    },
    async (request, reply) => {
      const { email, merchantId, role } = request.body;
      const membership =
        merchantId === undefined || role === undefined
          ? {}
          : { membership: { merchantId: idOf("merchant", merchantId), role } };
      const issued = await invite(context, actorOf(request), { email, ...membership });
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
            ? "End all sessions and links of a person, and refuse sign-in"
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

function linkRoutes(app: ApiApp, context: Context): void {
  app.get(
    "/dashboard/v1/operator/links",
    {
      config: read,
      schema: {
        operationId: "listServiceLinks",
        summary: "List the open links that invite operators or reset passwords",
        description: "Newest first. `invited_by` is null for a link of the command line.",
        tags,
        response: { 200: successOf(z.array(serviceLinkRow)) },
      },
    },
    async () => ok((await listOpenLinks(context.db, null)).map(toServiceLinkRow)),
  );
  app.delete(
    "/dashboard/v1/operator/links/:id",
    {
      config: read,
      schema: {
        operationId: "withdrawServiceLink",
        summary: "Withdraw a link that invites an operator or resets a password",
        tags,
        params: idParams("link"),
        response: { 200: successOf(serviceLinkRow) },
      },
    },
    async (request) => {
      const link = { merchantId: null, id: request.params.id };
      return ok(toServiceLinkRow(await withdraw(context, actorOf(request), link)));
    },
  );
}
