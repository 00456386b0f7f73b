import { isTooSlow } from "@daric/postgres/errors";
import type { Queryable } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import { findLockBlockers, type LockBlocker } from "./lock-blocker-store.ts";

/** The step duration after which blockers are searched, and the interval of further searches. */
const POLL_MS = 4_000;
const REPORT_AGAIN_MS = 60_000;

/** `db` must not wait for our locks; `application` is the name of the watcher's connections. */
export type LockBlockerSearch = {
  readonly db: Queryable;
  readonly application: string;
  readonly everyMs?: number;
};

export type LockBlockerWatch = {
  during<T>(step: () => Promise<T>): Promise<T>;
  /** a description of the session that blocks us, if any */
  blocker(): string | undefined;
  /** how long it has blocked us; 0 without one, undefined if another process reads */
  blockedSeconds(): number | undefined;
};

/**
 * Watches for sessions that block the watcher, from the first finding until a step succeeds or fails for another reason. It logs
 * the finding, once a minute, and its end.
 */
export function watchLockBlockers(
  { clock, log }: Pick<ContextOf, "clock" | "log">,
  blockers: LockBlockerSearch | undefined,
  isReading: () => boolean,
): LockBlockerWatch {
  let held: { readonly sinceMs: number; reportedMs: number; holders: readonly LockBlocker[] } | undefined;
  const seconds = () => held && Math.round((clock.monotonicMs() - held.sinceMs) / 1_000);

  function report(holders: readonly LockBlocker[]): void {
    const nowMs = clock.monotonicMs();
    const isNew = held === undefined;
    held ??= { sinceMs: nowMs - (holders[0]?.waitedMs ?? 0), reportedMs: nowMs, holders };
    held.holders = holders;
    if (!isNew && nowMs - held.reportedMs < REPORT_AGAIN_MS) return;
    held.reportedMs = nowMs;
    log.warn(
      { event: "scanner_blocked", blocked_seconds: seconds(), holders: holders.map(describe) },
      "another database session blocks the scanner",
    );
  }

  async function poll({ db, application }: LockBlockerSearch, isOver: () => boolean): Promise<void> {
    const holders = await findLockBlockers(db, application).catch(() => []);
    if (holders.length > 0 && !isOver()) report(holders);
  }

  function end(): void {
    if (held !== undefined) log.info({ blocked_seconds: seconds() }, "the scanner is no longer blocked");
    held = undefined;
  }

  return {
    during: async (step) => {
      let isOver = false;
      const timer =
        blockers && setInterval(() => void poll(blockers, () => isOver), blockers.everyMs ?? POLL_MS);
      try {
        const result = await step();
        end();
        return result;
      } catch (error) {
        if (!isTooSlow(error)) end();
        throw error;
      } finally {
        isOver = true;
        clearInterval(timer);
      }
    },
    blockedSeconds: () => seconds() ?? (isReading() ? 0 : undefined),
    blocker: () => held && `held up for ${seconds()} s by ${held.holders.map(describe).join(", ")}`,
  };
}

function describe({ pid, role, application, state, table }: LockBlocker): string {
  if (pid === 0) return `a prepared transaction (pg_prepared_xacts)${at(table)}`;
  const about = [application || null, state].filter((word) => word !== null);
  const details = about.length === 0 ? "" : ` (${about.join(", ")})`;
  return `session ${pid} of role ${role ?? "unknown"}${details}${at(table)}`;
}

function at(table: string | null): string {
  return table === null ? "" : `, at ${table}`;
}
