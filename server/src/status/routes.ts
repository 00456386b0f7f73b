import type { ApiApp } from "../http/api-app.ts";
import { statusPage } from "./page.ts";
import type { Status } from "./status.ts";
import { styleHash } from "./style.ts";

/** The page's own style and nothing else: no script, no form, no frame, no other host. */
const POLICY = `default-src 'none'; style-src '${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** GET /: how it is, for whoever runs the service; with `?still` once. For the listener of /metrics alone. */
export function statusRoutes(app: ApiApp, findStatus: () => Promise<Status>): void {
  app.get("/", { config: { isProbe: true }, schema: { hide: true } }, async (request, reply) =>
    reply
      .header("content-security-policy", POLICY)
      .type("text/html; charset=utf-8")
      .serializer(String)
      .send(statusPage(await findStatus(), { isStill: request.url.includes("?still") })),
  );
}
