import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { SettlementWorker } from "./worker.ts";

/** Reports what settlement waits for. It never fails: orders are taken and payments are seen without it. */
export function settlementCheck(
  worker: () => Pick<SettlementWorker, "isFailing" | "faults"> | undefined,
): ReadinessCheck {
  return {
    name: "settlement",
    check: async () => {
      const running = worker();
      if (running === undefined) return { ok: true, detail: "waits for a verified node" };
      const faults = [
        ...(running.isFailing() ? ["its steps fail: the log says why"] : []),
        ...running.faults(),
      ];
      return { ok: true, detail: faults.length === 0 ? "settles" : faults.join("; ") };
    },
  };
}
