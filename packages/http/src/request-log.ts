import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ApiErrorCode } from "@daric/domain/errors";
import type { LogEvent } from "@daric/runtime/log-events";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";
import { senderOf } from "./authenticate.ts";
import type { Context } from "./context.ts";

/** The error code of a refused request. A decorator would cost every request memory. */
const refusedBy: unique symbol = Symbol("refused by");

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    [refusedBy]?: ApiErrorCode;
  }
}

/** Adds the code to the log line of this request. */
export function setRefusal(request: FastifyRequest, code: ApiErrorCode): void {
  request[refusedBy] = code;
}

/**
 * Echoes the correlation id, and writes one log line and one measurement for each request. The line of a
 * refusal has its code and its sender. Bodies are never logged, and no field can hold a secret, so this line
 * skips redaction.
 */
export function observeRequests(app: ApiApp, { log, metrics }: Pick<Context, "log" | "metrics">): void {
  const lines = log.child({}, { redact: [] });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(CORRELATION_HEADER, cleanCorrelationId(request.id));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const line = reply.statusCode < 400 ? lineOf(request, reply) : lineOfRefusal(request, reply);
    const { method, route, status } = line;
    metrics.httpRequests.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000);
    lines[request.routeOptions.config.isProbe ? "debug" : "info"](line, "request");
    done();
  });
}

/** Logs an error of this request under its correlation id. */
export function reportFault(
  request: FastifyRequest,
  fields: { err: unknown; code?: string },
  message: string,
): void {
  const event: LogEvent = "request_failed";
  request.log.error({ event, correlation_id: cleanCorrelationId(request.id), ...fields }, message);
}

function lineOfRefusal(request: FastifyRequest, reply: FastifyReply) {
  return { error_code: request[refusedBy], ...senderOf(request), ...lineOf(request, reply) };
}

/** The route's pattern instead of the path: ids and checkout tokens stay out of logs and labels. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    route: request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown"),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    correlation_id: cleanCorrelationId(request.id),
  };
}

export const CORRELATION_HEADER = "x-correlation-id";
const ACCEPTED = /^[\x20-\x7e]{1,128}$/;

/** The caller's correlation id if it has up to 128 printable ASCII characters, otherwise a new one. */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = request.headers[CORRELATION_HEADER];
  return typeof sent === "string" && ACCEPTED.test(sent) ? sent : randomUUID();
}

/** The id without characters that could end a quotation or a tag in logs and headers. */
export function cleanCorrelationId(id: string): string {
  return id.replace(/["'`\\<>]/g, "_");
}
