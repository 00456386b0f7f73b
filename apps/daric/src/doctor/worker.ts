import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createDeriver } from "@daric/addresses/deriver";
import type { MerchantId } from "@daric/domain/ids";
import { keepLease } from "@daric/runtime/lease";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { auditSlowly } from "./audit-slowly.ts";
import type { WatcherContext } from "./context.ts";
import { invariants, type Violation } from "./invariant.ts";

/** A silent worker is replaced after this time: no work is lost meanwhile. */
const LEASE_TTL_MS = 60_000;
/** From one part of the audit to the next. After a long part the pause is a quarter of it. */
const PAUSE_MS = 10_000;
/** A lasting violation is reported again at this interval. */
const REPORT_AGAIN_MS = 600_000;
const MAX_REPORTED = 1_000;

/**
 * Audits the database beside the watcher, part after part with pauses, again and again. The watcher with the
 * lease does it. A violation raises an alarm that names the rows.
 */
export function startAuditWorker(
  context: WatcherContext,
  { pauseMs = PAUSE_MS }: { readonly pauseMs?: number } = {},
): WorkerLoop {
  const { db, clock, config, metrics } = context;
  const { network } = config.chain;
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const lease = keepLease(db, { name: `doctor:${network}`, holder, ttlMs: LEASE_TTL_MS, clock });
  const deriver = createDeriver(context);
  const report = createReport(context);
  let counts = new Map<string, number>();
  let after: MerchantId | undefined;
  let walk: ReturnType<typeof auditSlowly> | undefined;

  async function auditNext(): Promise<void> {
    walk ??= auditSlowly({ db, network, derive: deriver.derive, integrityKey: config.integrity.key }, after);
    const { value: part, done } = await walk.next();
    if (done) return endPass();
    after = part.after;
    for (const violation of part.violations) {
      counts.set(violation.invariant, (counts.get(violation.invariant) ?? 0) + violation.count);
      report(violation);
    }
  }

  function endPass(): void {
    for (const invariant of Object.keys(invariants))
      metrics.auditViolations.set({ invariant }, counts.get(invariant) ?? 0);
    metrics.auditLastRun.set(Math.floor(clock.now().getTime() / 1_000));
    counts = new Map();
    after = undefined;
    walk = undefined;
  }

  const loop = startWorkerLoop({
    name: "audit",
    pollMs: pauseMs,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      if ((await lease.current()) === undefined) {
        metrics.auditViolations.reset();
        metrics.auditLastRun.remove();
        return false;
      }
      // An interrupted audit continues after the last complete merchant.
      await auditNext().catch((error: unknown) => {
        walk = undefined;
        throw error;
      });
      return false;
    },
  });
  return {
    ...loop,
    stop: async () => {
      await loop.stop();
      await deriver.stop();
      // An unreachable database gets no release; the lease expires by itself.
      await lease.release().catch(() => {});
    },
  };
}

function createReport({ log, metrics, clock }: WatcherContext): (violation: Violation) => void {
  const reportedAt = new Map<string, number>();
  return ({ invariant, what, count, samples }) => {
    const nowMs = clock.monotonicMs();
    const name = [invariant, what, ...samples].join("|");
    if (nowMs - (reportedAt.get(name) ?? -Infinity) < REPORT_AGAIN_MS) return;
    if (reportedAt.size >= MAX_REPORTED) reportedAt.clear();
    reportedAt.set(name, nowMs);
    metrics.alarms.inc({ alarm: "audit_violation" });
    log.error(
      { event: "audit_violation", invariant, rule: invariants[invariant], what, count, rows: samples },
      "the database breaks an invariant: `daric doctor` names the first step",
    );
  };
}
