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
  const results = namedOnce(await Promise.all(checks.map((check) => runCheck(check, timeoutMs))));
  return { status: results.every(({ ok }) => ok) ? "ready" : "not_ready", checks: results };
}

/** What a check came to; without an answer, when it failed or took too long, nothing was found. */
type Result = Readiness["checks"][number] & { readonly isAnswered: boolean; readonly isBase?: true };

/** One cause is one line: a base that fails names the checks that found nothing because of it. */
function namedOnce(results: readonly Result[]): Readiness["checks"] {
  const base = results.find(({ isBase, ok }) => isBase && !ok);
  const unchecked = results.filter((result) => base && result !== base && !result.isAnswered);
  return results
    .filter((result) => !unchecked.includes(result))
    .map((result) => {
      const { name, ok, detail } = result;
      if (result !== base || unchecked.length === 0) return { name, ok, detail };
      const names = unchecked.map((other) => other.name).join(", ");
      return { name, ok, detail: `${detail}; not checked because of it: ${names}` };
    });
}

async function runCheck({ name, check, isBase }: ReadinessCheck, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const about = { name, ...(isBase && { isBase }) };
  const lack = { ...about, isAnswered: false, ok: false };
  const timeout = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { ...lack, detail: `no answer within ${timeoutMs} ms` });
  });
  const found = async (): Promise<Result> => ({ ...about, isAnswered: true, ...(await check()) });
  try {
    return await Promise.race([found(), timeout]);
  } catch {
    return { ...lack, detail: "the check failed" };
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
