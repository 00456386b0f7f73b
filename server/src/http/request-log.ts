import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";
import { CORRELATION_HEADER, cleanCorrelationId } from "./correlation-id.ts";

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyContextConfig {
    /** asked every few seconds by a machine: logged at debug only */
    isProbe?: boolean;
  }
}

/** Echoes the correlation id, and leaves one log line and one measurement of each request. Bodies are never logged. */
export function observeRequests(app: ApiApp, { metrics }: Pick<Context, "metrics">): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header(CORRELATION_HEADER, cleanCorrelationId(request.id));
  });
  app.addHook("onResponse", async (request, reply) => {
    const line = lineOf(request, reply);
    const { method, route, status } = line;
    metrics.httpRequests.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000);
    request.log[request.routeOptions.config.isProbe ? "debug" : "info"](line, "request");
  });
}

/** The route's pattern instead of the path: ids and checkout tokens stay out of logs and labels. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    route: request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown"),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
  };
}
