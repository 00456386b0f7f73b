import { ApiError } from "@daric/domain/errors";
import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { ApiApp } from "./api-app.ts";
import { decorateCaller } from "./authenticate.ts";
import { CONNECTION_TIMES } from "./connections.ts";
import { type Context, hasApi } from "./context.ts";
import { type AnswerBrowser, answerConnectionFault, errorSender } from "./error-translation.ts";
import type { Drain } from "./health.ts";
import { endFaultyConnections } from "./listen.ts";
import { completeRouteSchemas } from "./openapi.ts";
import { paceRequests } from "./pace-requests.ts";
import { parseJsonBody } from "./parse-json.ts";
import { correlationIdOf, observeRequests } from "./request-log.ts";
import { decorateSession } from "./session.ts";
import { cleanForwardedFor } from "./trusted-proxy.ts";
import { warnOfUnknownFields } from "./unknown-field-warnings.ts";
import { refuseUnknownRoutes } from "./unknown-route.ts";
import { faultOfUnsupported, validatorCompiler } from "./validate.ts";

export const BODY_LIMIT_BYTES = 64 * 1024;
/**
 * The whole path fits into Node's 16 kB of headers, so a long id is refused as an id and not by its length.
 */
const MAX_PARAM_LENGTH = 16 * 1024;

/**
 * An app without routes that has the conventions of the contract. These are JSON of at most 64 kB, one error
 * envelope, correlation ids, security headers, and a log line and a metric for each request.
 */
export function createServer(context: Context, drain?: Drain, answerBrowser?: AnswerBrowser): ApiApp {
  const { proxies, publicBaseUrl } = frontOf(context);
  const sendError = errorSender(context, publicBaseUrl, answerBrowser);
  const headers = securityHeaders({ isHttps: publicBaseUrl?.startsWith("https:") ?? false });
  const app: ApiApp = fastify({
    // Only Fastify's warnings matter; each request is logged through the context.
    loggerInstance: context.log.child({}, { level: quietLevel(context) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger costs a request more than its line; a field names the request instead.
    childLoggerFactory: (logger) => logger,
    genReqId: correlationIdOf,
    requestIdHeader: false,
    trustProxy: proxies.length > 0 ? [...proxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    ...CONNECTION_TIMES,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply.headers(headers)),
    clientErrorHandler: answerConnectionFault,
  }).withTypeProvider<ZodTypeProvider>();
  endFaultyConnections(app, context);
  if (proxies.length > 0) cleanForwardedFor(app, (entry) => reportJunk(context, entry));
  paceRequests(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendError);
  acceptJsonOnly(app);
  endConnections(app, drain);
  decorateCaller(app);
  decorateSession(app);
  observeRequests(app, context);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  refuseOddFraming(app);
  refuseUnknownRoutes(app);
  refuseOddBodies(app);
  warnOfUnknownFields(app);
  completeRouteSchemas(app);
  return app;
}

/** The proxies and the public URL, in a process that serves the API. */
function frontOf(context: Context): { proxies: readonly string[]; publicBaseUrl: string | undefined } {
  if (!hasApi(context)) return { proxies: [], publicBaseUrl: undefined };
  const { trustedProxies, publicBaseUrl } = context.config.http;
  return { proxies: trustedProxies, publicBaseUrl };
}

function reportJunk({ log }: Context, entry: string): void {
  log.warn(
    { event: "forwarded_address_unreadable", entry: entry.slice(0, 100) },
    "a proxy of TRUSTED_PROXIES sends an X-Forwarded-For that ends in no address: such requests count as the proxy's own",
  );
}

function quietLevel({ log }: Context): string {
  return log.isLevelEnabled("warn") ? "warn" : log.level;
}

/**
 * One parser for every media type: the body is read before its type is checked, so that a large body is 413
 * whatever its type. An empty body counts as none if the route takes none.
 */
function acceptJsonOnly(app: ApiApp): void {
  app.removeAllContentTypeParsers();
  // Unlike the parser of "*", Fastify caches one of a pattern for each type.
  app.addContentTypeParser<Buffer>(/^/, { parseAs: "buffer" }, (request, bytes, done) => {
    try {
      done(null, readBody(request, bytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const takesBody = request.routeOptions.schema?.body !== undefined;
  if (bytes.length === 0 && !takesBody) return undefined;
  if (!isPlainJson(request)) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  return parseJsonBody(bytes);
}

/**
 * Node accepts any coding that ends in `chunked`; a proxy before us may not. If two parsers see different
 * ends of a body, the rest is a request that one of them never saw (request smuggling). Of two hosts they may take
 * different ones.
 */
function refuseOddFraming(app: ApiApp): void {
  app.addHook("onRequest", ({ headers, raw }, reply, done) => {
    const coding = headers["transfer-encoding"];
    const isChunked = coding === undefined || /^chunked$/i.test(coding);
    const hosts = raw.headersDistinct?.host?.length ?? 0;
    if (isChunked && hosts < 2) return done();
    reply.header("connection", "close");
    const message = isChunked
      ? "A request names one Host."
      : "The only accepted Transfer-Encoding is chunked.";
    done(new ApiError("INVALID_JSON", { message }));
  });
}

/**
 * A body sent to a route without one is validated as an object whose names are all ignored. Its fault waits,
 * like that of a query, until the path's id was checked.
 */
function refuseOddBodies(app: ApiApp): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const { body, routeOptions } = request;
    const fault = routeOptions.schema?.body === undefined ? faultOfUnsupported(body) : undefined;
    if (fault !== undefined) request.validationError = fault;
    done();
  });
}

/** Answers requests during the drain and the close, and keeps no connection alive. */
function endConnections(app: ApiApp, drain?: Drain): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  // biome-ignore lint/complexity/useMaxParams: a hook that makes no promise is called with four
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing || drain?.isUnderWay()) reply.header("connection", "close");
    done();
  });
}

function isPlainJson({ headers }: FastifyRequest): boolean {
  if (!/^(identity)?$/i.test(headers["content-encoding"] ?? "")) return false;
  return /^\s*application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers["content-type"] ?? "");
}

/** Answers of the API are for programs: browsers must not run, frame, sniff, store or refer from them. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};
const ONE_YEAR_SECONDS = 365 * 24 * 3600;

/** The headers of every answer; a route replaces those that do not fit its content. */
function securityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return isHttps ? { ...HEADERS, "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` } : HEADERS;
}
