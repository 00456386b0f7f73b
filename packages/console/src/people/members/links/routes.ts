import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { originOf, type PeopleParts, signedInAnswer } from "../../schema.ts";
import { createSessions } from "../../sessions.ts";
import { acceptLink } from "../accept-link.ts";
import { lookUpLink } from "../links.ts";
import { acceptedLink, acceptLinkBody, linkRow, lookUpBody } from "../schema.ts";

const tags = ["people"];
const notValid = { 404: refusal("LINK_NOT_VALID") };

/** The routes of one-time links: invitations and resets. */
export function linkRoutes(app: ApiApp, parts: PeopleParts): void {
  lookUpRoute(app, parts);
  acceptRoute(app, parts);
}

function lookUpRoute(app: ApiApp, { context }: PeopleParts): void {
  app.post(
    "/dashboard/v1/links/look-up",
    {
      config: { access: "public" },
      schema: {
        operationId: "lookUpLink",
        summary: "See what an invitation or a reset is for",
        tags,
        body: lookUpBody,
        response: { 200: successOf(linkRow), ...notValid },
      },
    },
    async ({ body }) => {
      const { link, person, merchantName } = await lookUpLink(context, body.token);
      return ok({
        kind: link.kind,
        email: link.email,
        merchant_name: merchantName ?? null,
        role: link.role,
        is_operator: link.kind === "invitation" && link.merchantId === null,
        has_account: person !== undefined,
        expires_at: link.expiresAt.toISOString(),
      });
    },
  );
}

function acceptRoute(app: ApiApp, parts: PeopleParts): void {
  const { context, guard } = parts;
  const sessions = createSessions(context);
  app.post(
    "/dashboard/v1/links/accept",
    {
      config: { access: "public" },
      schema: {
        operationId: "acceptLink",
        summary: "Accept an invitation, or set a new password",
        description:
          "A new person sends name and password and is signed in. A person with an account must be signed in. A reset takes a password, ends all sessions and signs no one in.",
        tags,
        body: acceptLinkBody,
        response: { 200: successOf(acceptedLink), 401: refusal("SESSION_ENDED"), ...notValid },
      },
    },
    async (request, reply) => {
      const token = guard.tokenOf(request);
      const session = token === undefined ? undefined : await sessions.find(token);
      const signedIn = await acceptLink(context, { ...request.body, session }, originOf(request));
      if (signedIn === undefined) return ok({ session: null });
      const { data } = await signedInAnswer(parts, reply, signedIn);
      return ok({ session: data });
    },
  );
}
