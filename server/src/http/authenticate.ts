import type { FastifyRequest, preValidationAsyncHookHandler } from "fastify";
import type { ApiScope } from "../domain/api-scope.ts";
import { ApiError } from "../domain/errors.ts";
import { addressKey, type RateLimiter, refuseFor, takeOrRefuse } from "./rate-limit.ts";
import type { ApiApp } from "./server.ts";
import { isId } from "./validate.ts";

export const API_KEY_HEADER = "x-api-key";

/** Who calls: the merchant, and the key it used. */
export type Caller = {
  readonly merchantId: string;
  readonly apiKeyId: string;
  readonly scopes: readonly ApiScope[];
};

/** Looks a key up. Undefined for every key that must not be let in, whatever the reason. */
export type FindCaller = (apiKey: string) => Promise<Caller | "wrong_environment" | undefined>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every route inside the authenticated scope; reading it elsewhere throws. */
    readonly caller: Caller;
  }
  interface FastifyContextConfig {
    /** what an API key must be allowed to do; every authenticated route says it */
    scope?: ApiScope;
    /** whether the row of the path's id is there for this caller; asked before the body is validated */
    pathExists?: (request: FastifyRequest, id: string) => Promise<boolean>;
  }
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Gives every request of the app the `caller` property. */
export function decorateCaller(app: ApiApp): void {
  app.decorateRequest("caller", {
    getter(this: FastifyRequest) {
      const caller = callers.get(this);
      if (caller === undefined) throw new Error(`${this.routeOptions.url} is public: it has no caller`);
      return caller;
    },
  });
}

/**
 * Puts every route that is registered on `scope` behind an API key. Runs between parsing and validation, so that
 * refusals come in the order 401, 403, 429, 404 of the path's id, 422. A route without a scope stops the start.
 */
export function requireApiKey(
  scope: ApiApp,
  options: { findCaller: FindCaller; perKey: RateLimiter; failures: RateLimiter },
): void {
  scope.addHook("onRoute", ({ config, method, url }) => {
    if (config?.scope === undefined) throw new Error(`${method} ${url} does not say which scope it needs`);
  });
  const authenticate: preValidationAsyncHookHandler = async (request) => {
    const caller = await identify(request, options);
    const needed = request.routeOptions.config.scope;
    if (needed === undefined || !caller.scopes.includes(needed)) throw new ApiError("INSUFFICIENT_SCOPE");
    takeOrRefuse(options.perKey, caller.apiKeyId);
    callers.set(request, caller);
    await findPathRow(request);
  };
  scope.addHook("preValidation", authenticate);
}

/** Failures are counted per address and refused before the key is looked up, so that guessing costs no query. */
async function identify(
  request: FastifyRequest,
  { findCaller, failures }: { findCaller: FindCaller; failures: RateLimiter },
): Promise<Caller> {
  const apiKey = request.headers[API_KEY_HEADER];
  if (typeof apiKey !== "string" || apiKey === "") throw new ApiError("UNAUTHORIZED");
  const address = addressKey(request.ip);
  refuseFor(failures.secondsUntilFree(address));
  const caller = await findCaller(apiKey);
  if (caller === undefined) failures.take(address);
  if (caller === undefined) throw new ApiError("UNAUTHORIZED");
  if (caller === "wrong_environment") throw new ApiError("WRONG_ENVIRONMENT");
  return caller;
}

/** A malformed id and the id of no row of this caller are answered alike. */
async function findPathRow(request: FastifyRequest): Promise<void> {
  const { id } = request.params as { id?: string };
  if (id === undefined) return;
  if (!isId(id)) throw new ApiError("NOT_FOUND");
  const { pathExists } = request.routeOptions.config;
  if (pathExists && !(await pathExists(request, id))) throw new ApiError("NOT_FOUND");
}
