import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { SettlementWorker } from "./worker.ts";

/**
 * Reports the faults that delay settlement. The check never fails, because orders and payments do not need
 * settlement.
 */
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
