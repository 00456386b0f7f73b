import { z } from "zod";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { ApiApp } from "./api-app.ts";

const DEFAULT_CHECK_TIMEOUT_MS = 3_000;
/** Anybody may ask; however often they do, the checks run once in this time. */
const REMEMBERED_MS = 1_000;

const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});
type Readiness = z.output<typeof readiness>;

/** GET /healthz: the process answers. GET /readyz: every check holds (200), or one does not (503). */
export function healthRoutes(
  app: ApiApp,
  checks: readonly ReadinessCheck[],
  { checkTimeoutMs = DEFAULT_CHECK_TIMEOUT_MS }: { checkTimeoutMs?: number } = {},
): void {
  const checkAll = rememberBriefly(() => runChecks(checks, checkTimeoutMs));
  app.get("/healthz", { config: { isProbe: true }, schema: { hide: true } }, async () => ({
    status: "ok",
  }));
  app.get(
    "/readyz",
    { config: { isProbe: true }, schema: { hide: true, response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const result = await checkAll();
      return reply.code(result.status === "ready" ? 200 : 503).send(result);
    },
  );
}

async function runChecks(checks: readonly ReadinessCheck[], timeoutMs: number): Promise<Readiness> {
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)));
  return { status: results.every(({ ok }) => ok) ? "ready" : "not_ready", checks: results };
}

async function runCheck(
  { name, check }: ReadinessCheck,
  timeoutMs: number,
): Promise<Readiness["checks"][number]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<{ ok: boolean; detail: string }>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, {
      ok: false,
      detail: `no answer within ${timeoutMs} ms`,
    });
  });
  try {
    return { name, ...(await Promise.race([check(), timeout])) };
  } catch {
    return { name, ok: false, detail: "the check failed" };
  } finally {
    clearTimeout(timer);
  }
}

function rememberBriefly<T>(produce: () => Promise<T>): () => Promise<T> {
  let latest: { value: Promise<T>; atMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs >= REMEMBERED_MS)
      latest = { value: produce(), atMs: nowMs };
    return latest.value;
  };
}
