import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Logger } from "../runtime/logger.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { ApiApp } from "./api-app.ts";

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

const DEFAULT_CHECK_TIMEOUT_MS = 3_000;
/** Anybody may ask; however often they do, the checks run once in this time. */
const CACHED_MS = 1_000;
/** So long a check that has no answer counts for what it found last: a process with much to do is slow, and no less ready. */
const KEPT_MS = 60_000;
/** The same of a check that others need: where what it asks hangs, that is said soon. */
const BASE_KEPT_MS = 15_000;
/** So long a check that is under way is waited for instead of being made again beside itself. */
const UNDER_WAY_MS = 10_000;

/** What the checks have come to. */
export type Readiness = {
  status: "ready" | "not_ready";
  checks: { name: string; ok: boolean; detail: string }[];
};

type Options = { readonly checkTimeoutMs?: number; readonly nowMs?: () => number };

/**
 * Makes all checks at once, each bounded in time. Who asks within a second of another gets the same answer. A check without an
 * answer counts for a minute for what it found last, one that others need for 15 s, unless what it needs fails.
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

/** What a check came to; without an answer, when it failed or took too long, nothing was found, but perhaps a moment ago. */
type Result = Readiness["checks"][number] & {
  readonly isAnswered: boolean;
  readonly isBase?: true;
  readonly last?: Readiness["checks"][number];
};

const failsOthers = (result: Result): boolean => result.isBase === true && !keepLast(result).ok;

function keepLast(result: Result): Result {
  return result.isAnswered ? result : { ...result, ...result.last };
}

/** One cause is one line: a base that fails names the checks that found nothing because of it. */
function namedOnce(results: readonly Result[]): Readiness["checks"] {
  const base = results.find(failsOthers);
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

/** Makes one check, and remembers what it found. */
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
 * The time between the signal to stop and the end of the listeners. A balancer learns from `/readyz` that it must send
 * requests elsewhere, and every request that it still sends is answered.
 */
export type Drain = {
  isUnderWay(): boolean;
  /** Starts it; resolves when its time is over. */
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

/** From the start of the drain on the process is not ready, whatever its checks find. */
export function notReadyIn(drain: Drain, findReadiness: () => Promise<Readiness>): () => Promise<Readiness> {
  const detail = "the process stops: requests are still answered, send new ones elsewhere";
  const stopping: Readiness = { status: "not_ready", checks: [{ name: "drain", ok: false, detail }] };
  return async () => (drain.isUnderWay() ? stopping : findReadiness());
}
