import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiScope, Caller } from "../domain/api-scope.ts";
import { ApiError } from "../domain/errors.ts";
import { type ApiKeyId, isId, type MerchantId } from "../domain/ids.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ApiApp } from "./api-app.ts";
import {
  addressKey,
  createRateLimiter,
  type RateLimiter,
  refuseSpent,
  sendQuotaHeaders,
} from "./rate-limit.ts";
import { guardedValidatorCompiler } from "./validate.ts";

const API_KEY_HEADER = "x-api-key";
const NO_KEY = "Send your API key in the header X-Api-Key: this request has none.";
const NO_FORM =
  "The text in X-Api-Key is not in the form of a key, daric_test_sk_… or daric_live_sk_…: send the whole key as it was shown.";

/** What an API key is judged by; the features give it, because they know the keys. */
export type KeyCheck = {
  /** the caller of a key that was found to be right a moment ago and may still be believed; asks nobody */
  recallCaller(apiKey: string): Caller | undefined;
  /** the part of a key that is no secret; undefined where the text cannot be a key at all; asks nobody */
  findPrefix(apiKey: string): string | undefined;
  /** whether anybody can make up such a key, so that it costs a look-up to refuse it */
  mayBeMadeUp(apiKey: string): boolean;
  /** undefined for every key that must not be let in, whatever the reason */
  findCaller(apiKey: string): Promise<Caller | "wrong_environment" | undefined>;
};

type Options = KeyCheck & {
  readonly perKey: RateLimiter;
  readonly failures: FailureBudget;
};

/** A request that is judged, and its answer. */
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Where a request keeps its caller once the key was judged; nobody reads it but the property `caller`. */
const identified: unique symbol = Symbol("caller");
/** Where it keeps the prefix of a key that was not let in, or not yet. */
const unproven: unique symbol = Symbol("unproven key");

type PathRow = {
  readonly name: string;
  exists(request: FastifyRequest, id: string): Promise<boolean>;
};

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    /** Set on every route inside the authenticated scope; reading it elsewhere throws. */
    readonly caller: Caller;
    [identified]?: Caller | undefined;
    [unproven]?: string;
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyContextConfig {
    /** what an API key must be allowed to do; every authenticated route says it */
    scope?: ApiScope;
    /** the row of the path's id: what it is called, and whether this caller has it, asked before query and body are judged */
    pathRow?: PathRow;
  }
}

/** Gives every request of the app the `caller` property. */
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
 * Who sent a request, as an operator may read it: the merchant and the id of the key that was right, also where it was
 * refused for another reason; of another key its prefix alone; nothing where there was none to judge.
 */
export function senderOf(request: FastifyRequest): {
  merchant_id?: MerchantId;
  api_key_id?: ApiKeyId;
  key_prefix?: string;
} {
  const { [identified]: caller, [unproven]: prefix } = request;
  if (caller !== undefined) return { merchant_id: caller.merchantId, api_key_id: caller.apiKeyId };
  return prefix === undefined ? {} : { key_prefix: prefix };
}

/**
 * Puts every route that is registered on `scope` behind an API key. A text that cannot be a key is refused before the body is read,
 * which is not waited for. The rest runs between parsing and validation, so that refusals come in the order 401, 403, 429, then those of hooks that are added after it, 404 of the path's id, 422. A
 * query of a read may say nothing that its route does not know. A route that does not say its scope, or where its path's
 * id is looked up, stops the start.
 */
export function requireApiKey(scope: ApiApp, options: Options): void {
  scope.setValidatorCompiler(guardedValidatorCompiler);
  scope.addHook("onRoute", (route) => {
    const { config, method, url } = route;
    if (config?.scope === undefined) throw new Error(`${method} ${url} does not say which scope it needs`);
    if (!url.includes("/:id")) return;
    if (config.pathRow === undefined) throw new Error(`${method} ${url} does not say whether its id exists`);
    route.attachValidation = true;
  });
  scope.addHook("onRequest", (request, _reply, done) => {
    const apiKey = sentKey(request);
    request[identified] = options.recallCaller(apiKey);
    if (request[identified] === undefined) {
      const prefix = options.findPrefix(apiKey);
      if (prefix === undefined) throw new ApiError("UNAUTHORIZED", { message: NO_FORM });
      request[unproven] = prefix;
    }
    done();
  });
  // A promise costs more than all that is judged here: there is one only where somebody has to be asked.
  scope.addHook("preValidation", (request, reply, done) => {
    const known = request[identified];
    if (known === undefined)
      return identify(request, options).then((caller) => letIn({ request, reply }, caller, options));
    letIn({ request, reply }, known, options);
    return done();
  });
  scope.addHook("preHandler", (request, _reply, done) => {
    const { id } = request.params as { id?: string };
    // A malformed id and the id of no row of this caller are answered alike.
    if (id !== undefined && !isId(id)) throw new ApiError("NOT_FOUND");
    return id !== undefined && isCounted(request)
      ? refuseMissing(request, id)
      : done(request.validationError);
  });
}

/**
 * What a right key may be refused for. Every answer that it gets from here on says what is left of its limit, and all
 * of them count, those without the scope too.
 */
function letIn({ request, reply }: Exchange, caller: Caller, { perKey }: Options): void {
  request[identified] = caller;
  const quota = perKey.take(caller.apiKeyId);
  sendQuotaHeaders(reply, perKey.limit, quota);
  const needed = request.routeOptions.config.scope;
  if (needed === undefined || !caller.scopes.includes(needed)) {
    throw new ApiError("INSUFFICIENT_SCOPE", { message: `The API key lacks the scope ${needed}.` });
  }
  refuseSpent(perKey, quota);
}

/** Unknown, wrong, expired and revoked keys are one answer. Only keys that anybody can make up are budgeted. */
async function identify(
  request: FastifyRequest,
  { mayBeMadeUp, findCaller, failures }: Options,
): Promise<Caller> {
  const apiKey = sentKey(request);
  const address = mayBeMadeUp(apiKey) ? addressKey(request.ip) : undefined;
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

/** @throws UNAUTHORIZED where there is no key; it names the header that was sent instead, and never what stands in it. */
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

/** Where nothing can be wrong before the handler looks for the row itself, it is not asked for twice. */
function isCounted({ validationError, routeOptions }: FastifyRequest): boolean {
  return validationError !== undefined || routeOptions.schema?.body !== undefined;
}

/** The row of the path's id first, then what is wrong with query and body. */
async function refuseMissing(request: FastifyRequest, id: string): Promise<void> {
  const { validationError, routeOptions } = request;
  if (!(await routeOptions.config.pathRow?.exists(request, id))) throw new ApiError("NOT_FOUND");
  if (validationError !== undefined) throw validationError;
}

/** Keys remembered at most: 32 bytes each and some book-keeping, about 2 MB. */
const MAX_PROVEN_KEYS = 10_000;

/** Beyond the budget of an address so many unproven keys a second are looked up, so that a right one gets in. */
const PER_SECOND_BEYOND = 1;

/** How often an address may fail to authenticate before most of its unproven keys are refused without looking them up. */
export type FailureBudget = {
  /** @throws RATE_LIMITED when the address has failed too often, unless this very key was let in before or it is the first of its second. */
  refuseWhenSpent(address: string, apiKey: string): void;
  recordFailure(address: string, apiKey: string): void;
  recordSuccess(apiKey: string): void;
};

/**
 * Guessing costs at most `perMinute` look-ups an address, and one a second beyond them. Keys that were let in are remembered (by hash), so that
 * neither a neighbour behind the same address nor one forgotten wrong key shuts out a client that has a right one.
 */
export function createFailureBudget(options: { perMinute: number; clock: Clock }): FailureBudget {
  const { perMinute, clock } = options;
  const limiter = createRateLimiter({
    perSecond: perMinute / 60,
    burst: perMinute,
    clock,
    counted: "keys from your address that were refused",
  });
  const beyond = createRateLimiter({ perSecond: PER_SECOND_BEYOND, burst: 1, clock });
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
