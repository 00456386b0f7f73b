import type { NetworkName } from "@daric/chain/nodes/networks";
import type { ContextOf } from "@daric/runtime/context";
import { type AlarmMetrics, unsetGauge } from "@daric/runtime/metrics";
import { Gauge, type Registry } from "prom-client";

/** The context of the continuous audit. */
export type WatcherContext = ContextOf<
  {
    readonly chain: { readonly network: NetworkName };
    readonly integrity: { readonly key: Buffer };
  },
  AlarmMetrics & DoctorMetrics
>;

type DoctorMetrics = ReturnType<typeof createDoctorMetrics>;

/** The results of the continuous audit. */
export function createDoctorMetrics(registers: Registry[]) {
  return {
    auditViolations: new Gauge({
      name: "daric_audit_violations",
      help: "Rows that break an invariant in the last complete audit, from the watcher that audits",
      labelNames: ["invariant"],
      registers,
    }),
    auditLastRun: unsetGauge({
      name: "daric_audit_last_run_timestamp_seconds",
      help: "Time of the last complete audit, from the watcher that audits",
      registers,
    }),
  };
}
