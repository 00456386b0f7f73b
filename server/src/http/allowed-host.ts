import { isIP } from "node:net";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";
import { httpSettings } from "./settings.ts";

/** Probes tell what those of the port of the API tell everybody. */
const PROBES: readonly (string | undefined)[] = ["/healthz", "/readyz"];

/**
 * Refuses requests to names that are not known to be of this port: to a browser a page of a stranger may be of the same origin as
 * this port, by giving the page's own name this port's address (DNS rebinding). An address, localhost, METRICS_HOST and
 * METRICS_ALLOWED_HOSTS are such names; what says no name is no browser.
 */
export function refuseForeignHosts(app: ApiApp, { config: { http } }: Pick<Context, "config">): void {
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

/** The name in a Host header, as a browser reads one: without the port, in small letters. */
function hostNameOf(host: string): string | undefined {
  return host.length <= 300 && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).hostname
    : undefined;
}
