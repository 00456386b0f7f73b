import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import {
  addressKey,
  createAddressLimiter,
  createRateLimiter,
  type RateLimiter,
  refuseSpent,
} from "@daric/http/rate-limit";
import { idParams } from "@daric/http/validate";
import { z } from "zod";
import { auditAct } from "./audit-act.ts";
import { type Context, peppersOf } from "./context.ts";
import { signInOptions } from "./passkey.ts";
import {
  actorOf,
  listedSessionRow,
  originOf,
  type PeopleParts,
  passkeyBody,
  passkeyOptions,
  proofBody,
  sessionAnswer,
  sessionRow,
  signedInAnswer,
  signInBody,
  siteOf,
  toListedSession,
} from "./schema.ts";
import { endSession, endSessionOf, endSessions, listSessions } from "./session-store.ts";
import { reauthenticate, signIn, signInByPasskey } from "./sign-in.ts";
import { createSignInLimits, type EventLimit, type SignInLimits } from "./sign-in-limits.ts";
import { readToken } from "./token.ts";

const tags = ["sign-in"];

const signInRefusals = {
  401: refusal("SIGN_IN_FAILED; CODE_REQUIRED or WRONG_CODE behind a right password."),
  403: refusal("CSRF_REFUSED"),
};

/** The limits of this process for every proof of a person. */
export function signInLimits(context: Context): SignInLimits {
  const { clock } = context;
  const optionsOf = (perMinute: number, counted: string) => ({
    ...{ perSecond: perMinute / 60, burst: perMinute },
    ...{ clock, counted },
  });
  return createSignInLimits(context, {
    perKey: (perMinute, counted) => eventLimit(createRateLimiter(optionsOf(perMinute, counted))),
    perAddress: (perMinute, counted) => eventLimit(createAddressLimiter(optionsOf(perMinute, counted))),
    networkOf: addressKey,
  });
}

function eventLimit(limiter: RateLimiter): EventLimit {
  return {
    remaining: (key) => limiter.inspect(key).remaining,
    take: (key) => void limiter.take(key),
    giveBack: limiter.giveBack,
    refuse(key) {
      const quota = limiter.inspect(key);
      refuseSpent(limiter, { ...quota, waitSeconds: Math.max(1, quota.waitSeconds) });
    },
  };
}

/** The routes of sign-in and of the dashboard's sessions. */
export function signInRoutes(app: ApiApp, parts: PeopleParts): void {
  passwordRoute(app, parts);
  passkeyRoutes(app, parts);
  reauthenticateRoute(app, parts);
  sessionRoute(app, parts);
  signOutRoute(app, parts);
  sessionsRoutes(app, parts);
}

function passwordRoute(app: ApiApp, parts: PeopleParts): void {
  const { context, guard, limits } = parts;
  app.post(
    "/dashboard/v1/sign-in",
    {
      config: { access: "public" },
      schema: {
        operationId: "signIn",
        summary: "Sign in with e-mail and password",
        description: "Sets the session's cookie. `code` is six digits of the app, or a recovery code.",
        tags,
        body: signInBody,
        response: { 200: successOf(sessionRow), ...signInRefusals },
      },
    },
    async (request, reply) => {
      const { body, ip } = request;
      const signedIn = await limits.password({ email: body.email, ip }, () =>
        signIn(context, body, originOf(request)),
      );
      await endFormer(context, guard.tokenOf(request));
      return signedInAnswer(parts, reply, signedIn);
    },
  );
}

function passkeyRoutes(app: ApiApp, parts: PeopleParts): void {
  const { context, guard, limits } = parts;
  app.post(
    "/dashboard/v1/sign-in/passkey/options",
    {
      config: { access: "public" },
      schema: {
        operationId: "createPasskeyChallenge",
        summary: "Ask for the options of a sign-in with a passkey",
        tags,
        response: { 200: successOf(passkeyOptions), 403: refusal("CSRF_REFUSED") },
      },
    },
    async () => ok({ options: { ...(await signInOptions(siteOf(context), context.clock.now())) } }),
  );
  app.post(
    "/dashboard/v1/sign-in/passkey",
    {
      config: { access: "public" },
      schema: {
        operationId: "signInByPasskey",
        summary: "Sign in with a passkey",
        tags,
        body: passkeyBody,
        response: { 200: successOf(sessionRow), ...signInRefusals },
      },
    },
    async (request, reply) => {
      const proof = { ...request.body, site: siteOf(context) };
      const { ip, body } = request;
      const signedIn = await limits.passkey({ id: body.response.id, ip }, () =>
        signInByPasskey(context, proof, originOf(request)),
      );
      await endFormer(context, guard.tokenOf(request));
      return signedInAnswer(parts, reply, signedIn);
    },
  );
}

/** A browser keeps only one cookie, so its earlier session would live on unnoticed. */
async function endFormer({ db, config }: Context, token: string | undefined): Promise<void> {
  const read = token === undefined ? undefined : readToken(peppersOf(config), "session", token);
  if (read !== undefined) await endSessionOf(db, read.hash);
}

function reauthenticateRoute(app: ApiApp, parts: PeopleParts): void {
  const { context, limits } = parts;
  app.post(
    "/dashboard/v1/session/reauthenticate",
    {
      config: { access: "person without second factor" },
      schema: {
        operationId: "reauthenticate",
        summary: "Prove again that it is you",
        description: "For five minutes the session may change keys, wallets, second factors and roles.",
        tags,
        body: proofBody,
        response: { 200: successOf(sessionRow), ...signInRefusals },
      },
    },
    async (request, reply) => {
      const { body, session, ip } = request;
      const actor = actorOf(request);
      const signedIn =
        "response" in body
          ? await limits.passkey({ id: body.response.id, ip }, () =>
              reauthenticate(context, actor, { ...body, site: siteOf(context) }),
            )
          : await limits.password({ email: session.email, ip }, () => reauthenticate(context, actor, body));
      return signedInAnswer(parts, reply, signedIn);
    },
  );
}

function sessionRoute(app: ApiApp, parts: PeopleParts): void {
  app.get(
    "/dashboard/v1/session",
    {
      config: { access: "person without second factor" },
      schema: {
        operationId: "retrieveSession",
        summary: "See who is signed in",
        tags,
        response: { 200: successOf(sessionRow) },
      },
    },
    (request) => sessionAnswer(parts, request),
  );
}

function signOutRoute(app: ApiApp, { context, guard }: PeopleParts): void {
  app.post(
    "/dashboard/v1/sign-out",
    {
      config: { access: "person without second factor" },
      schema: {
        operationId: "signOut",
        summary: "End this session",
        tags,
        response: { 200: successOf(z.object({ signed_out: z.literal(true) })) },
      },
    },
    async (request, reply) => {
      await endOne(context, request, request.session.id);
      guard.sendCookie(reply, undefined);
      return ok({ signed_out: true as const });
    },
  );
}

type ActingRequest = Parameters<typeof actorOf>[0];

async function endOne({ db }: Context, request: ActingRequest, id: Parameters<typeof endSession>[1]["id"]) {
  const { personId } = request.session;
  return db.transaction(async (tx) => {
    const ended = await endSession(tx, { personId, id });
    if (ended === undefined) throw new ApiError("NOT_FOUND");
    await auditAct(tx, actorOf(request), { action: "end session", subject: `session ${id}` });
    return ended;
  });
}

function sessionsRoutes(app: ApiApp, { context }: PeopleParts): void {
  const config = { access: "person without second factor" } as const;
  const row = listedSessionRow;
  app.get(
    "/dashboard/v1/sessions",
    {
      config,
      schema: {
        operationId: "listSessions",
        summary: "List your sessions",
        tags,
        response: { 200: successOf(z.array(row)) },
      },
    },
    async ({ session: { personId, id } }) =>
      ok((await listSessions(context.db, personId)).map((session) => toListedSession(session, id))),
  );
  const params = idParams("session");
  app.delete(
    "/dashboard/v1/sessions/:id",
    {
      config,
      schema: {
        operationId: "endSession",
        summary: "End one of your sessions",
        tags,
        params,
        response: { 200: successOf(row) },
      },
    },
    async (request) =>
      ok(toListedSession(await endOne(context, request, request.params.id), request.session.id)),
  );
  app.post(
    "/dashboard/v1/sessions/end-others",
    {
      config,
      schema: {
        operationId: "endOtherSessions",
        summary: "End all your sessions but this one",
        tags,
        response: { 200: successOf(z.object({ ended: z.int() })) },
      },
    },
    async (request) => {
      const { personId, id } = request.session;
      const ended = await context.db.transaction(async (tx) => {
        const act = { action: "end other sessions", subject: `person ${personId}` };
        await auditAct(tx, actorOf(request), act);
        return endSessions(tx, personId, id);
      });
      return ok({ ended });
    },
  );
}
