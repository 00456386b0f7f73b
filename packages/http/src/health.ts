import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@daric/runtime/logger";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import { z } from "zod";
import type { ApiApp } from "./api-app.ts";

const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** GET /healthz: the process answers. GET /readyz: 200 if every check passes, else 503. */
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

const DEFAULT_CHECK_TIMEOUT_MS = 3_000;
/** The endpoint is public; the checks run at most once in this time. */
const CACHED_MS = 1_000;
/** A check without an answer keeps its last result this long: a busy process is slow and still ready. */
const KEPT_MS = 60_000;
/** The same for a check that others need, so that its failure is visible soon. */
const BASE_KEPT_MS = 15_000;
/** A running check is awaited this long before a second one is started. */
const UNDER_WAY_MS = 10_000;

/** The results of all checks. */
export type Readiness = {
  status: "ready" | "not_ready";
  checks: { name: string; ok: boolean; detail: string }[];
};

type Options = { readonly checkTimeoutMs?: number; readonly nowMs?: () => number };

/**
 * Runs all checks at once, each with a timeout, and caches the result for a second. A check without an answer
 * keeps its last result for a minute, one that others need for 15 s. It loses it if a check that it needs
 * fails.
 */
export function cacheReadiness(
  checks: readonly ReadinessCheck[],
  { checkTimeoutMs = DEFAULT_CHECK_TIMEOUT_MS, nowMs = () => performance.now() }: Options = {},
): () => Promise<Readiness> {
  const running = checks.map((check) => createRun(check, { checkTimeoutMs, nowMs }));
  return cacheBriefly(async () => {
    const results = await Promise.all(running.map((run) => run()));
    const shown = namedOnce(results.some(failsOthers) ? results : results.map(keepLast));
    return { status: shown.every(({ ok }) => ok) ? "ready" : "not_ready", checks: shown };
  }, nowMs);
}

/** The result of a check. After a failure or timeout it may be a recent one. */
type Result = Readiness["checks"][number] & {
  readonly isAnswered: boolean;
  readonly isBase?: true;
  readonly last?: Readiness["checks"][number];
};

const failsOthers = (result: Result): boolean => result.isBase === true && !keepLast(result).ok;

function keepLast(result: Result): Result {
  return result.isAnswered ? result : { ...result, ...result.last };
}

/** Joins the failures of one cause into one line: a failed base check names the checks that failed because of it. */
function namedOnce(results: readonly Result[]): Readiness["checks"] {
  const base = results.find(failsOthers);
  const unchecked = results.filter((result) => base && result !== base && !result.isAnswered);
  return results
    .filter((result) => !unchecked.includes(result))
    .map((result) => {
      const { name, ok, detail } = result;
      if (result !== base || unchecked.length === 0) return { name, ok, detail };
      const names = unchecked.map((check) => check.name).join(", ");
      return { name, ok, detail: `${detail}; not checked because of it: ${names}` };
    });
}

/** Runs one check and remembers its result. */
function createRun(
  { name, check, isBase }: ReadinessCheck,
  { checkTimeoutMs, nowMs }: Required<Options>,
): () => Promise<Result> {
  const about = { name, ...(isBase && { isBase }) };
  let found: { readonly last: Readiness["checks"][number]; readonly atMs: number } | undefined;
  let underWay: { readonly result: Promise<Result>; readonly sinceMs: number } | undefined;

  function lackOf(detail: string): Result {
    const keptMs = isBase ? BASE_KEPT_MS : KEPT_MS;
    const recent = found !== undefined && nowMs() - found.atMs < keptMs ? { last: found.last } : {};
    return { ...about, isAnswered: false, ok: false, detail, ...recent };
  }

  async function find(): Promise<Result> {
    try {
      const last = { name, ...(await check()) };
      found = { last, atMs: nowMs() };
      return { ...about, isAnswered: true, ...last };
    } catch {
      return lackOf("the check failed");
    }
  }

  return async () => {
    if (underWay === undefined || nowMs() - underWay.sinceMs >= UNDER_WAY_MS) {
      const begun = { result: find(), sinceMs: nowMs() };
      underWay = begun;
      void begun.result.finally(() => {
        if (underWay === begun) underWay = undefined;
      });
    }
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Result>((resolve) => {
      timer = setTimeout(() => resolve(lackOf(`no answer within ${checkTimeoutMs} ms`)), checkTimeoutMs);
    });
    const result = await Promise.race([underWay.result, timeout]);
    clearTimeout(timer);
    return result;
  };
}

function cacheBriefly<T>(produce: () => Promise<T>, now: () => number): () => Promise<T> {
  let latest: { value: Promise<T>; atMs: number } | undefined;
  return () => {
    const nowMs = now();
    if (latest === undefined || nowMs - latest.atMs >= CACHED_MS) latest = { value: produce(), atMs: nowMs };
    return latest.value;
  };
}

/**
 * The time between the stop signal and the end of the listeners. Load balancers see `/readyz` fail and send
 * requests elsewhere; late requests are still answered.
 */
export type Drain = {
  isUnderWay(): boolean;
  /** Starts the drain; resolves at its end. */
  run(): Promise<void>;
};

export function createDrain({ log, ms }: { readonly log: Logger; readonly ms: number }): Drain {
  let isUnderWay = false;
  return {
    isUnderWay: () => isUnderWay,
    run: async () => {
      isUnderWay = true;
      if (ms > 0)
        log.info({ drain_ms: ms }, "the process stops: /readyz answers 503, and requests are still answered");
      await sleep(ms);
    },
  };
}

/** Fails readiness from the start of the drain, whatever the checks return. */
export function notReadyIn(drain: Drain, findReadiness: () => Promise<Readiness>): () => Promise<Readiness> {
  const detail = "the process stops: requests are still answered, send new ones elsewhere";
  const stopping: Readiness = { status: "not_ready", checks: [{ name: "drain", ok: false, detail }] };
  return async () => (drain.isUnderWay() ? stopping : findReadiness());
}
