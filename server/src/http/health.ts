import { z } from "zod";
import type { ApiApp } from "./api-app.ts";
import type { Readiness } from "./readiness.ts";

const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** GET /healthz: the process answers. GET /readyz: every check holds (200), or one does not (503). */
export function healthRoutes(app: ApiApp, findReadiness: () => Promise<Readiness>): void {
  app.get("/healthz", { config: { isProbe: true }, schema: { hide: true } }, async () => ({
    status: "ok",
  }));
  app.get(
    "/readyz",
    { config: { isProbe: true }, schema: { hide: true, response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const result = await findReadiness();
      return reply.code(result.status === "ready" ? 200 : 503).send(result);
    },
  );
}
