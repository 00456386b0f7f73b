import { Gauge, type Registry } from "prom-client";
import { unsetGauge } from "../runtime/metrics.ts";

export type DoctorMetrics = ReturnType<typeof createDoctorMetrics>;

/** What the slow look at the books has found. */
export function createDoctorMetrics(registers: Registry[]) {
  return {
    auditViolations: new Gauge({
      name: "daric_audit_violations",
      help: "Rows that break an invariant, as the last whole look at the books found them; told by the watcher that looks",
      labelNames: ["invariant"],
      registers,
    }),
    auditLastRun: unsetGauge({
      name: "daric_audit_last_run_timestamp_seconds",
      help: "When the last whole look at the books ended; told by the watcher that looks",
      registers,
    }),
  };
}
