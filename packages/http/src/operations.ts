import { isIP } from "node:net";
import { isUrl } from "@daric/domain/url";
import type { Registry } from "prom-client";
import type { ApiApp } from "./api-app.ts";
import { capConnections, OPERATIONS_CONNECTIONS } from "./connections.ts";
import type { Context } from "./context.ts";
import { cacheReadiness, healthRoutes, type Readiness } from "./health.ts";
import { createServer } from "./server.ts";
import { httpSettings } from "./settings.ts";

/**
 * The operations listener: /metrics, /healthz and /readyz on a port of its own. Without checks it is ready.
 */
export function createOperationsApp(
  context: Context & { readonly metrics: { readonly registry: Registry } },
  findReadiness: () => Promise<Readiness> = cacheReadiness([]),
): ApiApp {
  const { registry } = context.metrics;
  const app = createServer(context);
  capConnections(app, { listener: "operations", max: OPERATIONS_CONNECTIONS }, context);
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

/** Probes return the same on the public port. */
const PROBES: readonly (string | undefined)[] = ["/healthz", "/readyz"];

/**
 * Refuses requests with an unknown Host. Otherwise a website could give its own name this port's address (DNS
 * rebinding), and the browser would treat the port as the same origin. Known hosts are addresses, localhost,
 * METRICS_HOST and METRICS_ALLOWED_HOSTS. A request without a Host comes from no browser.
 */
function refuseForeignHosts(app: ApiApp, { config: { http } }: Pick<Context, "config">): void {
  const names: readonly string[] = [http.metricsHost.toLowerCase(), ...http.metricsAllowedHosts];
  app.addHook("onRequest", (request, reply, done) => {
    const { host } = request.headers;
    if (host === undefined || PROBES.includes(request.routeOptions.url) || isKnown(host, names))
      return done();
    reply
      .code(421)
      .type("text/plain; charset=utf-8")
      .serializer(String)
      .send(
        `The host name of this request is not known here: name it in ${httpSettings.metricsAllowedHosts.env}.\n`,
      );
  });
}

function isKnown(host: string, names: readonly string[]): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || /^(.+\.)?localhost$/.test(name) || names.includes(name);
}

/** The name in a Host header as a browser parses it: without the port, in lower case. */
function hostNameOf(host: string): string | undefined {
  return host.length <= 300 && isUrl(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
