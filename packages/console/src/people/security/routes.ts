import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { z } from "zod";
import { actorOf, type PeopleParts, sessionRow, signedInAnswer } from "../schema.ts";
import { newTotp } from "../totp.ts";
import { changeName, changePassword, confirmTotp, removeTotp, renewRecoveryCodes } from "./my-security.ts";
import { nameBody, passwordBody, totpBody } from "./schema.ts";

const tags = ["my security"];
/** On a live service a person without a second factor must be able to set one up. */
const access = "person without second factor" as const;
const proven = { access, needsProof: true } as const;
const answer = { 200: successOf(sessionRow) };
const wrongCode = { 401: refusal("SESSION_ENDED, SIGN_IN_FAILED, CODE_REQUIRED or WRONG_CODE.") };
const recoveryCodes = z.array(z.string());

/** The routes by which people change their own sign-in. */
export function securityRoutes(app: ApiApp, parts: PeopleParts): void {
  nameRoute(app, parts);
  passwordRoute(app, parts);
  totpRoutes(app, parts);
  removeTotpRoute(app, parts);
  recoveryCodesRoute(app, parts);
}

function nameRoute(app: ApiApp, parts: PeopleParts): void {
  app.patch(
    "/dashboard/v1/me",
    {
      config: { access },
      schema: {
        operationId: "updateMe",
        summary: "Change your name",
        tags,
        body: nameBody,
        response: answer,
      },
    },
    async (request, reply) =>
      signedInAnswer(parts, reply, await changeName(parts.context, actorOf(request), request.body.name)),
  );
}

function passwordRoute(app: ApiApp, parts: PeopleParts): void {
  app.post(
    "/dashboard/v1/me/password",
    {
      config: { access },
      schema: {
        operationId: "changePassword",
        summary: "Change your password",
        description: "Your other sessions end.",
        tags,
        body: passwordBody,
        response: { ...answer, ...wrongCode },
      },
    },
    async (request, reply) => {
      const { session, ip, body } = request;
      const signedIn = await parts.limits.password({ email: session.email, ip }, () =>
        changePassword(parts.context, actorOf(request), body),
      );
      return signedInAnswer(parts, reply, signedIn);
    },
  );
}

function totpRoutes(app: ApiApp, parts: PeopleParts): void {
  const { context } = parts;
  app.post(
    "/dashboard/v1/me/totp",
    {
      config: proven,
      schema: {
        operationId: "createTotpSecret",
        summary: "Make a secret for an authenticator app",
        description: "Nothing is stored until a code proves that the app has it. `qr` is an SVG.",
        tags,
        response: { 200: successOf(z.object({ secret: z.string(), uri: z.string(), qr: z.string() })) },
      },
    },
    async ({ session }) => ok(newTotp(session.email, context.config.environment)),
  );
  app.post(
    "/dashboard/v1/me/totp/confirm",
    {
      config: proven,
      schema: {
        operationId: "confirmTotp",
        summary: "Set up the authenticator app by its first code",
        description: "The recovery codes are shown once. Your other sessions end.",
        tags,
        body: totpBody,
        response: {
          200: successOf(z.object({ recovery_codes: recoveryCodes, session: sessionRow })),
          ...wrongCode,
        },
      },
    },
    async (request, reply) => {
      const confirmed = await confirmTotp(context, actorOf(request), request.body);
      const { data: session } = await signedInAnswer(parts, reply, confirmed);
      return ok({ recovery_codes: [...confirmed.recoveryCodes], session });
    },
  );
}

function removeTotpRoute(app: ApiApp, parts: PeopleParts): void {
  app.delete(
    "/dashboard/v1/me/totp",
    {
      config: proven,
      schema: {
        operationId: "removeTotp",
        summary: "Remove the authenticator app",
        tags,
        response: answer,
      },
    },
    async (request, reply) => signedInAnswer(parts, reply, await removeTotp(parts.context, actorOf(request))),
  );
}

function recoveryCodesRoute(app: ApiApp, { context }: PeopleParts): void {
  app.post(
    "/dashboard/v1/me/recovery-codes",
    {
      config: proven,
      schema: {
        operationId: "renewRecoveryCodes",
        summary: "Make new recovery codes",
        description: "They are shown once, and the old ones end.",
        tags,
        response: { 200: successOf(z.object({ recovery_codes: recoveryCodes })) },
      },
    },
    async (request) => ok({ recovery_codes: [...(await renewRecoveryCodes(context, actorOf(request)))] }),
  );
}
