import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { z } from "zod";
import { actorOf, type PeopleParts } from "../schema.ts";
import { listOpenLinks } from "./link-store.ts";
import { changeRole, inviteMember, removeMember, withdraw } from "./members.ts";
import { listMembers } from "./membership-store.ts";
import {
  invitationBody,
  invitationRow,
  issuedInvitation,
  memberRow,
  roleBody,
  toInvitationRow,
  toIssuedInvitation,
  toMemberRow,
} from "./schema.ts";

const tags = ["people"];
const lastOwner = { 409: refusal("LAST_OWNER") };
const staleOrLast = { 409: refusal("LAST_OWNER, or CHANGED_MEANWHILE: read the roles again.") };

/** The routes of a merchant's members and invitations. */
export function memberRoutes(app: ApiApp, parts: PeopleParts): void {
  listRoutes(app, parts);
  changeRoutes(app, parts);
  inviteRoute(app, parts);
  withdrawRoute(app, parts);
}

function listRoutes(app: ApiApp, { context }: PeopleParts): void {
  const config = { scope: "account:read" } as const;
  app.get(
    "/dashboard/v1/people",
    {
      config,
      schema: {
        operationId: "listMembers",
        summary: "List the people of a merchant",
        tags,
        response: { 200: successOf(z.array(memberRow)) },
      },
    },
    async (request) =>
      ok((await listMembers(context.db, callerOfSession(request).merchantId)).map(toMemberRow)),
  );
  app.get(
    "/dashboard/v1/invitations",
    {
      config,
      schema: {
        operationId: "listInvitations",
        summary: "List the open invitations of a merchant",
        tags,
        response: { 200: successOf(z.array(invitationRow)) },
      },
    },
    async (request) =>
      ok((await listOpenLinks(context.db, callerOfSession(request).merchantId)).map(toInvitationRow)),
  );
}

function changeRoutes(app: ApiApp, { context }: PeopleParts): void {
  const params = idParams("person");
  app.patch(
    "/dashboard/v1/people/:id",
    {
      config: { scope: "people:write", needsProof: true },
      schema: {
        operationId: "changeRole",
        summary: "Change the role of a member",
        description:
          "The member's sessions end. With a lower role, so do the links that the member made. Only owners make and change owners.",
        tags,
        params,
        body: roleBody,
        response: { 200: successOf(memberRow), ...staleOrLast },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const change = { merchantId, personId: request.params.id, ...request.body };
      return ok(toMemberRow(await changeRole(context, actorOf(request), change)));
    },
  );
  app.delete(
    "/dashboard/v1/people/:id",
    {
      config: { scope: "account:read", needsProof: true },
      schema: {
        operationId: "removeMember",
        summary: "Remove a member, or leave",
        description:
          "The member's sessions end, and so do the links that the member made. Removing another member needs the right `people:write`, and of an owner `owners:write`.",
        tags,
        params,
        response: { 200: successOf(memberRow), ...lastOwner },
      },
    },
    async (request) => {
      const member = { merchantId: callerOfSession(request).merchantId, personId: request.params.id };
      return ok(toMemberRow(await removeMember(context, actorOf(request), member)));
    },
  );
}

function inviteRoute(app: ApiApp, { context }: PeopleParts): void {
  app.post(
    "/dashboard/v1/invitations",
    {
      config: { scope: "people:write", needsProof: true },
      schema: {
        operationId: "inviteMember",
        summary: "Invite a person",
        description: "The answer has the link, once. A newer invitation of the same address ends this one.",
        tags,
        body: invitationBody,
        response: { 201: createdOf(issuedInvitation) },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOfSession(request);
      const issued = await inviteMember(context, actorOf(request), { ...request.body, merchantId });
      return reply.code(201).send(created(toIssuedInvitation(issued)));
    },
  );
}

function withdrawRoute(app: ApiApp, { context }: PeopleParts): void {
  app.delete(
    "/dashboard/v1/invitations/:id",
    {
      config: { scope: "people:write" },
      schema: {
        operationId: "withdrawInvitation",
        summary: "Withdraw an invitation",
        tags,
        params: idParams("link"),
        response: { 200: successOf(invitationRow) },
      },
    },
    async (request) => {
      const link = { merchantId: callerOfSession(request).merchantId, id: request.params.id };
      return ok(toInvitationRow(await withdraw(context, actorOf(request), link)));
    },
  );
}
