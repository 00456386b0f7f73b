import type { Registry } from "prom-client";
import { refuseForeignHosts } from "./allowed-host.ts";
import type { ApiApp } from "./api-app.ts";
import { capConnections, OPERATIONS_CONNECTIONS } from "./connections.ts";
import type { Context } from "./context.ts";
import { healthRoutes } from "./health.ts";
import { cacheReadiness, type Readiness } from "./readiness.ts";
import { createServer } from "./server.ts";

/** The listener for those who run the service: /metrics, /healthz and /readyz, on a port of its own. Without checks it is ready. */
export function createOperationsApp(
  context: Context & { readonly metrics: { readonly registry: Registry } },
  findReadiness: () => Promise<Readiness> = cacheReadiness([]),
): ApiApp {
  const { registry } = context.metrics;
  const app = createServer(context);
  capConnections(app, { listener: "operations", most: OPERATIONS_CONNECTIONS }, context);
  refuseForeignHosts(app, context);
  healthRoutes(app, findReadiness);
  app.get("/metrics", { config: { isProbe: true }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type(registry.contentType)
      .serializer(String)
      .send(await registry.metrics()),
  );
  return app;
}
