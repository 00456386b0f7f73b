import type { ReadinessCheck } from "../runtime/readiness-check.ts";

const DEFAULT_CHECK_TIMEOUT_MS = 3_000;
/** Anybody may ask; however often they do, the checks run once in this time. */
const REMEMBERED_MS = 1_000;

/** What the checks have come to. */
export type Readiness = {
  status: "ready" | "not_ready";
  checks: { name: string; ok: boolean; detail: string }[];
};

/** Makes all checks at once, each bounded in time. Who asks within a second of another gets the same answer. */
export function rememberReadiness(
  checks: readonly ReadinessCheck[],
  { checkTimeoutMs = DEFAULT_CHECK_TIMEOUT_MS }: { checkTimeoutMs?: number } = {},
): () => Promise<Readiness> {
  return rememberBriefly(() => runChecks(checks, checkTimeoutMs));
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
