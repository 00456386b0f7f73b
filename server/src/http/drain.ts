import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../runtime/logger.ts";
import type { Readiness } from "./readiness.ts";

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
