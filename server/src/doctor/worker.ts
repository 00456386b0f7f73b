import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { MerchantId } from "../domain/ids.ts";
import { keepLease } from "../runtime/lease.ts";
import { startWorkerLoop, type WorkerLoop } from "../runtime/worker-loop.ts";
import { auditSlowly } from "./audit-slowly.ts";
import type { WatcherContext } from "./context.ts";
import { invariants, type Violation } from "./invariant.ts";

/** One that is silent for so long is followed by another: nothing is lost meanwhile. */
const LEASE_TTL_MS = 60_000;
/** What is broken still is said again this often. */
const REPORT_AGAIN_MS = 600_000;
const MAX_REPORTED = 1_000;

/**
 * Looks at the books beside the work for as long as it runs, a part after the other with a rest in between, over and over. Of
 * all watchers the one that holds the lease does so. What is broken raises an alarm that names the rows.
 */
export function startAuditWorker(context: WatcherContext): WorkerLoop {
  const { db, clock, config, metrics } = context;
  const { network } = config.chain;
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const lease = keepLease(db, { name: `doctor:${network}`, holder, ttlMs: LEASE_TTL_MS, clock });
  const report = createReport(context);
  let counts = new Map<string, number>();
  let after: MerchantId | undefined;
  let walk: ReturnType<typeof auditSlowly> | undefined;

  async function auditNext(): Promise<void> {
    walk ??= auditSlowly({ db, network }, after);
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
    pollMs: config.doctor.pauseMs,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      if ((await lease.current()) === undefined) {
        metrics.auditViolations.reset();
        metrics.auditLastRun.remove();
        return false;
      }
      // What was broken off goes on behind the last merchant with whom it was through.
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
      // A database that is away cannot be told; the lease lapses by itself.
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
      "the database breaks an invariant: `daric doctor` says what to do first",
    );
  };
}
