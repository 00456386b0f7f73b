import type { ApiApp } from "../http/api-app.ts";
import { htmlCacheControl } from "../runtime/html.ts";
import { statusPage } from "./page.ts";
import type { Status } from "./status.ts";
import { styleHash } from "./style.ts";

/** Only the page's own style: no script, no form, no frame, no other host. */
const POLICY = `default-src 'none'; style-src '${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * GET /: the status page for operators; `?still` stops the reload. Only the listener of /metrics serves it.
 */
export function statusRoutes(app: ApiApp, findStatus: () => Promise<Status>): void {
  app.get("/", { config: { isProbe: true }, schema: { hide: true } }, async (request, reply) =>
    reply
      .header("content-security-policy", POLICY)
      .header("cache-control", htmlCacheControl("no-store"))
      .type("text/html; charset=utf-8")
      .serializer(String)
      .send(statusPage(await findStatus(), { isStill: request.url.includes("?still") })),
  );
}
