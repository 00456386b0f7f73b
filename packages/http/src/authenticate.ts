import { createHash } from "node:crypto";
import { type Caller, nameOfCaller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { type ApiKeyId, isId, type MerchantId, type PersonId } from "@daric/domain/ids";
import type { Clock } from "@daric/runtime/clock";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";
import { isOfDashboard } from "./openapi.ts";
import { createAddressLimiter, type RateLimiter, refuseSpent, sendQuotaHeaders } from "./rate-limit.ts";
import { personOf, requireProof, requireRights, type SessionGuard } from "./session.ts";
import { guardedValidatorCompiler } from "./validate.ts";

const API_KEY_HEADER = "x-api-key";
const NO_KEY = "Send your API key in the header X-Api-Key: this request has none.";
const NO_FORM =
  "The text in X-Api-Key is not in the form of a key, daric_test_sk_… or daric_live_sk_…: send the whole key as it was shown.";

/** The check of an API key, injected by the features that know the keys. */
export type KeyCheck = {
  /** the caller of a key that was proven a moment ago; synchronous, without a look-up */
  recallCaller(apiKey: string): Caller | undefined;
  /** the public part of a key; undefined for a malformed key; synchronous, without a look-up */
  findPrefix(apiKey: string): string | undefined;
  /** whether the key can be forged, so that its refusal costs a look-up */
  isForgeable(apiKey: string): boolean;
  /** undefined for every unacceptable key, whatever the reason */
  findCaller(apiKey: string): Promise<Caller | "wrong_environment" | undefined>;
};

type Options = KeyCheck & {
  readonly perKey: RateLimiter;
  readonly failures: FailureBudget;
  /** the sessions of requests without a key; undefined if people cannot sign in */
  readonly sessions?: Pick<SessionGuard, "tokenOf" | "readCaller"> | undefined;
};

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** The caller of a request, after authentication; read only through the property `caller`. */
const identified: unique symbol = Symbol("caller");
/** The prefix of a key that is not proven, or not yet. */
const unproven: unique symbol = Symbol("unproven key");

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    [identified]?: Caller | undefined;
    [unproven]?: string;
  }
}

/** Adds the property `caller` to every request of the app. */
export function decorateCaller(app: ApiApp): void {
  app.decorateRequest(identified, undefined);
  app.decorateRequest("caller", {
    getter(this: FastifyRequest) {
      const caller = this[identified];
      if (caller === undefined) throw new Error(`${this.routeOptions.url} is public: it has no caller`);
      return caller;
    },
  });
}

/**
 * The sender of a request, for operators: merchant and key id of a proven key, or the person of a session. A refused request has one
 * too. Of any other key only the prefix; without a key nothing.
 */
export function senderOf(request: FastifyRequest): {
  merchant_id?: MerchantId;
  api_key_id?: ApiKeyId;
  person_id?: PersonId;
  key_prefix?: string;
} {
  const { [identified]: caller, [unproven]: prefix } = request;
  const personId = personOf(request);
  const person = personId === undefined ? {} : { person_id: personId };
  if (caller !== undefined)
    return {
      merchant_id: caller.merchantId,
      ...(caller.apiKeyId && { api_key_id: caller.apiKeyId }),
      ...person,
    };
  return prefix === undefined ? person : { key_prefix: prefix };
}

/** Whether the dashboard sent the request: to a path of its own, or to `/v1` with a session. */
export function isOfPerson(request: FastifyRequest): boolean {
  return isOfDashboard(request.url) || request[identified]?.session !== undefined;
}

/**
 * Requires an API key, or without one a session, for all later routes of `scope`. A malformed key is refused before the body is read.
 * The other checks run between parsing and validation. Refusals come in the order 401, 403, 429, those of
 * later hooks, 404 of the path's id, 422. The query of a read may contain only known names. @throws Error at
 * the start for a route without a scope, or without a check of its path's id.
 */
export function requireApiKey(scope: ApiApp, options: Options): void {
  scope.setValidatorCompiler(guardedValidatorCompiler);
  scope.addHook("onRoute", (route) => {
    const { config, method, url } = route;
    if (config?.scope === undefined) throw new Error(`${method} ${url} has no scope`);
    if (!url.includes("/:id")) return;
    if (config.pathRow === undefined)
      throw new Error(`${method} ${url} has an id without a check whether it exists`);
    route.attachValidation = true;
  });
  scope.addHook("onRequest", (request, _reply, done) => {
    if (isOfSession(request, options)) return done();
    const apiKey = sentKey(request);
    request[identified] = options.recallCaller(apiKey);
    if (request[identified] === undefined) {
      const prefix = options.findPrefix(apiKey);
      if (prefix === undefined) throw new ApiError("UNAUTHORIZED", { message: NO_FORM });
      request[unproven] = prefix;
    }
    done();
  });
  // A promise costs more than all the checks here, so only a look-up makes one.
  scope.addHook("preValidation", (request, reply, done) => {
    const known = request[identified];
    if (known === undefined) {
      const { sessions } = options;
      const found =
        sessions && isOfSession(request, options) ? sessions.readCaller(request) : identify(request, options);
      return found.then((caller) => admitCaller({ request, reply }, caller, options));
    }
    admitCaller({ request, reply }, known, options);
    return done();
  });
  scope.addHook("preHandler", (request, _reply, done) => {
    const { id } = request.params as { id?: string };
    // A malformed id gets the same answer as the id of another caller's row.
    if (id !== undefined && !isId(id)) throw new ApiError("NOT_FOUND");
    return id !== undefined && (isCounted(request) || request[identified]?.ownOrdersOf !== undefined)
      ? refuseMissing(request, id)
      : done(request.validationError);
  });
}

/**
 * Checks scope and rate limit of a right key. Every answer from here on has the rate-limit headers and
 * counts, also without the scope.
 */
function admitCaller({ request, reply }: Exchange, caller: Caller, { perKey }: Options): void {
  request[identified] = caller;
  const quota = perKey.take(nameOfCaller(caller));
  sendQuotaHeaders(reply, perKey.limit, quota);
  const { scope: needed, isForAnyKey } = request.routeOptions.config;
  if (caller.session !== undefined) requireRights(request, caller);
  else if (!isForAnyKey && (needed === undefined || !caller.scopes.includes(needed))) {
    throw new ApiError("INSUFFICIENT_SCOPE", { message: `The API key lacks the scope ${needed}.` });
  }
  refuseSpent(perKey, quota);
  if (caller.session !== undefined) requireProof(request, caller.session);
}

/** A key takes precedence over a session, so that a program with a cookie jar is not taken for a person. */
function isOfSession(request: FastifyRequest, { sessions }: Options): boolean {
  return request.headers[API_KEY_HEADER] === undefined && sessions?.tokenOf(request) !== undefined;
}

/** Unknown, wrong, expired and revoked keys get one answer. Only forgeable keys use the failure budget. */
async function identify(
  request: FastifyRequest,
  { isForgeable, findCaller, failures }: Options,
): Promise<Caller> {
  const apiKey = sentKey(request);
  const address = isForgeable(apiKey) ? request.ip : undefined;
  if (address !== undefined) failures.refuseWhenSpent(address, apiKey);
  const caller = await findCaller(apiKey);
  if (caller === "wrong_environment") throw new ApiError("WRONG_ENVIRONMENT");
  if (caller === undefined) {
    if (address !== undefined) failures.recordFailure(address, apiKey);
    throw new ApiError("UNAUTHORIZED");
  }
  if (address !== undefined) failures.recordSuccess(apiKey);
  return caller;
}

/** @throws UNAUTHORIZED without a key; it names another header that was sent, never its value. */
function sentKey({ headers }: FastifyRequest): string {
  const apiKey = headers[API_KEY_HEADER];
  if (typeof apiKey === "string" && apiKey !== "") return apiKey;
  const scheme = /^(?:Bearer|Basic)\b/i.exec(headers.authorization ?? "")?.[0];
  const instead =
    headers.authorization === undefined
      ? ""
      : ` We saw Authorization${scheme ? `: ${scheme}` : ""}, which is not read.`;
  throw new ApiError("UNAUTHORIZED", { message: NO_KEY + instead });
}

/**
 * Whether a request without rules for its query and body is valid before the handler. The handler finds the row
 * itself, once.
 */
function isCounted({ validationError, routeOptions }: FastifyRequest): boolean {
  return validationError !== undefined || routeOptions.schema?.body !== undefined;
}

/** Checks the row of the path's id before the faults of query and body. */
async function refuseMissing(request: FastifyRequest, id: string): Promise<void> {
  const { validationError, routeOptions } = request;
  if (!(await routeOptions.config.pathRow?.exists(request, id))) throw new ApiError("NOT_FOUND");
  if (validationError !== undefined) throw validationError;
}

/** The most remembered keys: 32 bytes each and some overhead, about 2 MB. */
const MAX_PROVEN_KEYS = 10_000;

/** Look-ups of unproven keys a second beyond the budget of an address, so that a right key is accepted. */
const PER_SECOND_BEYOND = 1;

/**
 * The failed authentications of an address before most of its unproven keys are refused without a look-up.
 */
export type FailureBudget = {
  /**
   * @throws RATE_LIMITED if the address failed too often, unless the key was accepted before or is the first
   * of its second.
   */
  refuseWhenSpent(address: string, apiKey: string): void;
  recordFailure(address: string, apiKey: string): void;
  recordSuccess(apiKey: string): void;
};

/**
 * Guessing costs at most `perMinute` look-ups an address, and one a second beyond them. Accepted keys are
 * remembered by hash. So neither a neighbour behind the same address nor one forgotten wrong key locks out a
 * client with a right key.
 */
export function createFailureBudget(options: { perMinute: number; clock: Clock }): FailureBudget {
  const { perMinute, clock } = options;
  const limiter = createAddressLimiter({
    perSecond: perMinute / 60,
    burst: perMinute,
    clock,
    counted: "keys from your address that were refused",
  });
  const beyond = createAddressLimiter({ perSecond: PER_SECOND_BEYOND, burst: 1, clock });
  const proven = new Set<string>();
  return {
    refuseWhenSpent(address, apiKey) {
      const quota = limiter.inspect(address);
      if (quota.waitSeconds === 0 || proven.has(fingerprint(apiKey))) return;
      if (beyond.take(address).waitSeconds > 0) refuseSpent(limiter, quota);
    },
    recordFailure(address, apiKey) {
      proven.delete(fingerprint(apiKey));
      limiter.take(address);
      beyond.take(address);
    },
    recordSuccess(apiKey) {
      const key = fingerprint(apiKey);
      proven.delete(key);
      proven.add(key);
      const [oldest] = proven.size > MAX_PROVEN_KEYS ? proven : [];
      if (oldest !== undefined) proven.delete(oldest);
    },
  };
}

function fingerprint(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("base64");
}
