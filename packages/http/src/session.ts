import { timingSafeEqual } from "node:crypto";
import type { CallerScope, Environment } from "@daric/domain/api-scope";
import type { Caller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { isId, type PersonId } from "@daric/domain/ids";
import { scopesOfRole } from "@daric/domain/merchant-role";
import { hasSecondFactor, type Session } from "@daric/domain/session";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";
import { isRead } from "./query-names.ts";
import { type RateLimiter, refuseSpent, sendQuotaHeaders } from "./rate-limit.ts";

const MERCHANT_HEADER = "x-daric-merchant";
const CSRF_HEADER = "x-csrf-token";
/** Without this right a person sees own orders alone. */
const SEES_ALL = "orders:all" satisfies CallerScope;
const MAX_COOKIE_SECONDS = 14 * 24 * 3600;

/** The source of sessions, injected by the feature that knows people. */
export type SessionSource = {
  /** undefined for a token without a live session; no query for one that the service did not make */
  find(token: string): Promise<Session | undefined>;
  csrfTokenOf(token: string): string;
};

/** The session of a request, after authentication; read only through the property `session`. */
const signedIn: unique symbol = Symbol("session");
const actingFor: unique symbol = Symbol("caller of a session");

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    [signedIn]?: Session | undefined;
    [actingFor]?: Caller | undefined;
  }
}

/** Reads, checks and writes the cookie of sessions. */
export type SessionGuard = {
  /** the token of the cookie, unchecked */
  tokenOf(request: FastifyRequest): string | undefined;
  /** the session of the request. @throws SESSION_ENDED; CSRF_REFUSED for a write that another site may have sent. */
  read(request: FastifyRequest): Promise<Session>;
  /** as `read`, acting for the merchant of the header. @throws NOT_FOUND for one that the person is no member of */
  readCaller(request: FastifyRequest): Promise<Caller>;
  /** as `read`, of an operator. @throws INSUFFICIENT_SCOPE for another person */
  readOperator(request: FastifyRequest): Promise<Session>;
  /** @throws CSRF_REFUSED for a write that no page of this service sent */
  requireOwnPage(request: FastifyRequest): void;
  /** sends the cookie; without a token it is removed */
  sendCookie(reply: FastifyReply, token: string | undefined): void;
};

/** The cookie is `__Host-` and Secure, except on a loopback host without TLS, where browsers refuse such cookies. */
export function createSessionGuard(
  source: SessionSource,
  { publicBaseUrl, environment }: { publicBaseUrl: string | undefined; environment: Environment },
): SessionGuard {
  const origin = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin;
  const isLoopback = origin !== undefined && isLoopbackWithoutTls(origin);
  const cookie = isLoopback ? "daric_session" : "__Host-daric_session";
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isLoopback ? "" : "; Secure"}`;
  const tokenOf = ({ headers }: FastifyRequest) => findCookie(headers.cookie, cookie);

  function requireOwnPage({ method, headers }: FastifyRequest): void {
    if (isRead(method)) return;
    const { origin: sender, "sec-fetch-site": site } = headers;
    const isOwn = site === undefined ? sender !== undefined && sender === origin : site === "same-origin";
    if (!isOwn) throw new ApiError("CSRF_REFUSED");
  }

  async function read(request: FastifyRequest): Promise<Session> {
    requireOwnPage(request);
    const token = tokenOf(request);
    const session = token === undefined ? undefined : await source.find(token);
    if (token === undefined || session === undefined) throw new ApiError("SESSION_ENDED");
    request[signedIn] = session;
    const sent = String(request.headers[CSRF_HEADER] ?? "");
    const isForged = !isRead(request.method) && !isSame(sent, source.csrfTokenOf(token));
    if (isForged) throw new ApiError("CSRF_REFUSED");
    return session;
  }

  return {
    tokenOf,
    read,
    requireOwnPage,
    readCaller: async (request) => {
      const session = await read(request);
      requireSecondFactor(session, environment);
      return callerOf(request, session);
    },
    readOperator: async (request) => {
      const session = await read(request);
      requireSecondFactor(session, environment);
      requireOperator(session);
      return session;
    },
    sendCookie: (reply, token) => {
      const age = token === undefined ? 0 : MAX_COOKIE_SECONDS;
      reply.header("set-cookie", `${cookie}=${token ?? ""}; ${attributes}; Max-Age=${age}`);
    },
  };
}

/** The person of a request with a live session, for the log, even if the request was refused. */
export function personOf(request: FastifyRequest): PersonId | undefined {
  return request[signedIn]?.personId;
}

type Options = {
  readonly guard: SessionGuard;
  readonly environment: Environment;
  readonly perSession: RateLimiter;
};

/** Adds the property `session` to every request of the app. */
export function decorateSession(app: ApiApp): void {
  app.decorateRequest(signedIn, undefined);
  app.decorateRequest(actingFor, undefined);
  app.decorateRequest("session", {
    getter(this: FastifyRequest) {
      const session = this[signedIn];
      if (session === undefined) throw new Error(`${this.routeOptions.url} is public: it has no session`);
      return session;
    },
  });
}

/**
 * Requires a session for all later routes of `scope` that are not public. Refusals come in the order CSRF, 401, 429,
 * 404 of the merchant, 403 of the second factor, of the right, of the proof.
 *
 * @throws Error at the start for a route without an access and a scope, or with both.
 */
export function requireSession(scope: ApiApp, { guard, environment, perSession }: Options): void {
  scope.addHook("onRoute", ({ config, method, url }) => {
    if ((config?.scope === undefined) === (config?.access === undefined))
      throw new Error(`${method} ${url} must have either an access or a scope`);
  });
  scope.addHook("preValidation", async (request, reply) => {
    const { access, scope } = request.routeOptions.config;
    if (access === "public") return guard.requireOwnPage(request);
    const session = await guard.read(request);
    const quota = perSession.take(session.id);
    sendQuotaHeaders(reply, perSession.limit, quota);
    refuseSpent(perSession, quota);
    const caller = scope === undefined ? undefined : callerOf(request, session);
    if (access !== "person without second factor") requireSecondFactor(session, environment);
    if (caller !== undefined) requireRights(request, caller);
    if (access === "operator") requireOperator(session);
    requireProof(request, session);
    // A malformed id gets the same answer as the id of another merchant's row.
    const { id } = request.params as { id?: string };
    if (id !== undefined && !isId(id)) throw new ApiError("NOT_FOUND");
    request[actingFor] = caller;
  });
}

/** @throws INSUFFICIENT_SCOPE when the role lacks the right. */
export function requireRight(scopes: readonly CallerScope[], needed: CallerScope): void {
  if (!scopes.includes(needed))
    throw new ApiError("INSUFFICIENT_SCOPE", { message: `Your role lacks the right ${needed}.` });
}

/** @throws INSUFFICIENT_SCOPE when the role lacks the right of the route, or sees own orders alone and the route does not narrow to them. */
export function requireRights({ routeOptions }: FastifyRequest, { scopes, ownOrdersOf }: Caller): void {
  const { scope, personScope = scope, narrows } = routeOptions.config;
  if (personScope !== undefined) requireRight(scopes, personScope);
  if (ownOrdersOf !== undefined && !narrows) requireRight(scopes, SEES_ALL);
}

/** @throws REAUTHENTICATION_REQUIRED on a route that needs a proof, when the session's is older than five minutes. */
export function requireProof({ routeOptions }: FastifyRequest, { isProven }: Session): void {
  if (routeOptions.config.needsProof && !isProven) throw new ApiError("REAUTHENTICATION_REQUIRED");
}

/** The caller of a route of the dashboard with a scope. */
export function callerOfSession(request: FastifyRequest): Caller & { readonly session: Session } {
  const caller = request[actingFor];
  if (caller?.session === undefined) throw new Error(`${request.routeOptions.url} acts for no merchant`);
  return caller;
}

/** @throws VALIDATION_ERROR without the header; NOT_FOUND for a merchant that the person is no member of. */
function callerOf(request: FastifyRequest, session: Session): Caller {
  // A link that downloads a file can send no header.
  const { merchantId: inQuery } = request.query as { merchantId?: unknown };
  const given = request.headers[MERCHANT_HEADER] ?? (isRead(request.method) ? inQuery : undefined);
  if (typeof given !== "string")
    throw new ApiError("VALIDATION_ERROR", {
      details: [{ path: MERCHANT_HEADER, message: "must name the merchant that you act for" }],
    });
  const membership = session.memberships.find(({ merchantId }) => merchantId === given.toLowerCase());
  if (membership === undefined)
    throw new ApiError("NOT_FOUND", { message: "You are a member of no merchant with this id." });
  const scopes = scopesOfRole(membership.role);
  const ownOrdersOf = scopes.includes(SEES_ALL) ? undefined : session.personId;
  return { merchantId: membership.merchantId, scopes, ownOrdersOf, session };
}

function requireSecondFactor(session: Session, environment: Environment): void {
  if (environment === "live" && !hasSecondFactor(session)) throw new ApiError("SECOND_FACTOR_REQUIRED");
}

function requireOperator({ isOperator }: Session): void {
  if (!isOperator) throw new ApiError("INSUFFICIENT_SCOPE", { message: "Only operators may do this." });
}

function isLoopbackWithoutTls(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname);
}

function findCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
